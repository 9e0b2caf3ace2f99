"""The profile books time on the right stage, and keeps its sections apart."""

import sys
from pathlib import Path

from tests.benchmarks.profile_ablation import HEAD, PACKAGE, STAGES, Profile, kept, table, where

FRAMES = {
    "kernels/cpu/spread.py": "kernels", "recall/bm25.py": "BM25 and dense seeders",
    "runs/writer.py": "leaderboard", "experiment/execute.py": "settings and the rest",
}  # fmt: skip


def frame_in(path):
    """The frame of a function that looks as if it stood in that file."""
    scope = {"sys": sys}
    exec(compile("def looked(): return sys._getframe()", path, "exec"), scope)
    return scope["looked"]()


def test_time_is_booked_on_the_innermost_function_of_the_package():
    for path, stage in FRAMES.items():
        assert where(frame_in(PACKAGE + path)) == (stage, f"{path}:looked")
    assert where(frame_in("<frozen importlib._bootstrap>"))[0] == "imports"
    assert where(None)[0] == "settings and the rest"


def test_every_stage_is_of_files_that_exist():
    for beginnings in STAGES.values():
        for beginning in beginnings:
            assert list(Path(PACKAGE).glob(f"{beginning}*")), beginning


def test_a_section_takes_the_place_of_the_one_of_its_name(tmp_path):
    file = tmp_path / "profile.md"
    for name, seconds in (("a log", 1.0), ("another", 2.0), ("a log", 3.0)):
        profile = Profile()
        profile.stages["kernels"] = profile.functions["f"] = seconds
        file.write_text(kept(file, name, table(profile, name)))
    text = file.read_text()
    assert text.startswith(HEAD)
    assert text.count("## a log") == text.count("## another") == 1
    assert "3.0 processor seconds" in text
    assert "1.0 processor seconds" not in text
