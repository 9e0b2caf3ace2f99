"""The page about the configs names every group and every switch."""

from pathlib import Path

from hebb_lab.graph.rules import switch_table

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
PAGE = CONFIGS / "README.md"


def test_the_page_lists_every_switch_as_the_rules_state_it():
    # When this fails, replace the table in configs/README.md by the one in the message.
    assert switch_table() in PAGE.read_text(), switch_table()


def test_the_page_names_every_group():
    groups = {path.name for path in CONFIGS.iterdir() if path.is_dir()}
    page = PAGE.read_text()
    assert {group for group in groups if f"| `{group}` |" not in page} == set()
