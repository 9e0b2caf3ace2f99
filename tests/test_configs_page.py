"""The page about the configs names every group and every switch."""

from dataclasses import fields
from pathlib import Path

from hebb_lab.graph.rules import SynapseRules

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
PAGE = CONFIGS / "README.md"


def table_of_switches():
    rows = ["| switch | default | meaning | values |", "| --- | --- | --- | --- |"]
    for field in fields(SynapseRules):
        values = ", ".join(f"`{choice}`" for choice in field.metadata["choices"] or ())
        rows.append(
            f"| `{field.name}` | `{as_yaml(field.default)}` | {field.metadata['help']} | {values} |"
        )
    return "\n".join(rows)


def as_yaml(value):
    """null, true and false as YAML spells them; the rest as it is."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else value


def test_the_page_lists_every_switch_as_the_rules_state_it():
    # When this fails, replace the table in configs/README.md by the one in the message.
    assert table_of_switches() in PAGE.read_text(), table_of_switches()


def test_the_page_names_every_group():
    groups = {path.name for path in CONFIGS.iterdir() if path.is_dir()}
    page = PAGE.read_text()
    assert {group for group in groups if f"| `{group}` |" not in page} == set()
