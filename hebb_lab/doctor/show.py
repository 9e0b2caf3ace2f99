"""The findings as tables: coloured in a terminal, plain in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hebb_lab.doctor.examine import Findings
    from hebb_lab.doctor.kernel import KernelRun
    from hebb_lab.doctor.packages import Extra

GIB = 2**30
PIPE_WIDTH = 120  # a pipe has no width of its own


def show(findings: Findings, console: Console | None = None) -> None:
    """Print the findings, worst last."""
    console = console or Console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    console.print(_table("machine", _machine(findings)))
    console.print(_table("back ends", _kernels(findings)))
    console.print(_table("base", _base(findings)))
    console.print(_table("extras", [_extra(extra) for extra in findings.extras]))
    missing = [extra for extra in findings.extras if not extra.installed]
    if missing:
        console.print("To get a missing extra:", style="bold")
        _commands(console, ((extra.name, extra.command) for extra in missing))
    show_verdict(findings, console)


def show_verdict(findings: Findings, console: Console | None = None) -> None:
    """Print what is wrong and the verdict alone."""
    console = console or Console(soft_wrap=True)
    for part in findings.base:
        if part.problem:
            console.print(f"{escape(part.name)}: {escape(part.problem)}", style="bold red")
    for run in findings.kernels:
        if run.problem:
            said = f"back end {run.backend}: {escape(run.problem)}"
            console.print(said, style="bold red")
    for conflict in findings.conflicts:
        console.print(f"\nConflict: {escape(conflict.problem)}.", style="bold red")
        _commands(console, [("cure", conflict.cure)])
    console.print(f"\n{_verdict(findings)}", style="bold", highlight=False)


def _table(title: str, rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.show_header = False
    for row in rows:
        table.add_row(*map(escape, row))
    table.add_row("")
    return table


def _commands(console: Console, commands: Iterable[tuple[str, str]]) -> None:
    """One command a line, never folded, so that it can be copied whole."""
    for name, command in commands:
        line = f"  {name:<10} {command}"
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def _machine(findings: Findings) -> list[tuple[str, str]]:
    facts, devices = findings.machine, findings.devices
    memory = "not known"
    if facts["memory_bytes"]:
        memory = f"{facts['memory_bytes'] / GIB:.1f} GiB"
    if facts["memory_free_bytes"]:
        memory += f", {facts['memory_free_bytes'] / GIB:.1f} GiB free"
    built = devices["torch_built_for_cuda"]
    gpus = devices["torch_gpus"]
    return [
        ("hebb_lab", findings.version),
        ("Python", f"{facts['python']} on {facts['platform']}"),
        ("cores", str(facts["cores"])),
        ("memory", memory),
        ("NVIDIA driver", devices["driver"] or "none"),
        ("torch", f"built for CUDA {built}" if built else "a CPU build"),
        ("GPUs", f"{len(gpus)}: {', '.join(gpus)}" if gpus else "none that torch can use"),
        ("CuPy", "can run kernels" if devices["cupy"] else "cannot run kernels here"),
        ("FAISS", _faiss(devices)),
        ("embedding", _embedding(findings)),
    ]


def _embedding(findings: Findings) -> str:
    if findings.embedding_model is None:
        return "no model that loads offline; the extra embed brings one"
    return f"{findings.embedding_model}, loads offline"


def _faiss(devices: dict[str, Any]) -> str:
    if not devices["faiss"]:
        return "not installed; dense search needs the extra cpu, gpu or gpu12"
    return f"on {devices['faiss_gpus']} GPU(s)" if devices["faiss_gpus"] else "on the processor"


def _kernels(findings: Findings) -> list[tuple[str, ...]]:
    return [
        (run.backend, run.device or "-", _fared(run), f"{run.seconds:.2f} s")
        if run.missing is None
        else (run.backend, "-", f"cannot run here: {run.missing}", "")
        for run in findings.kernels
    ]


def _fared(run: KernelRun) -> str:
    return run.problem or f"computes what it should, to {run.largest_error:.1e}"


def _base(findings: Findings) -> list[tuple[str, ...]]:
    return [(part.name, part.version or "-", part.problem or "ok") for part in findings.base]


def _extra(extra: Extra) -> tuple[str, ...]:
    if extra.installed:
        return extra.name, "installed", ""
    lacking = ", ".join(
        part.name if part.version is None else f"{part.name} {part.version} {part.problem}"
        for part in extra.parts
        if part.problem
    )
    return extra.name, "not installed", f"lacks {lacking}"


def _verdict(findings: Findings) -> str:
    if not findings.base_works:
        broken = [part.name for part in findings.base if part.problem]
        broken += [f"the back end {run.backend}" for run in findings.kernels if run.problem]
        return f"The base is broken: {', '.join(broken)}."
    on_gpu = any((run.device or "").startswith("cuda") for run in findings.kernels)
    where = "a GPU" if on_gpu else "the processor"
    count = len(findings.conflicts)
    conflicts = f" {count} conflict(s) to mend, see above." if count else ""
    return f"The base works, on {where}.{conflicts}"
