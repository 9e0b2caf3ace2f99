"""The page about the configs names every group and every switch."""

from pathlib import Path

from hebb_lab.evaluation.attribution import METHODS as ATTRIBUTIONS
from hebb_lab.evaluation.spec import MEASURES
from hebb_lab.evaluation.tasks import TASKS
from hebb_lab.experiment.methods import METHODS
from hebb_lab.graph.cognitive.published import switch_table as cognitive_switch_table
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.graph.layers import LAYERS
from hebb_lab.graph.rules import switch_table
from hebb_lab.halflife.facts.clock import CLOCKS
from hebb_lab.halflife.protocol.settings import known_models
from hebb_lab.kernels.choose import BACKENDS
from hebb_lab.layers.arms.standard import FAMILIES
from hebb_lab.lifecycles.arms import FAMILIES as LIVES
from hebb_lab.memory.published import switch_table as memory_switch_table
from hebb_lab.memory.strategies import STRATEGIES
from hebb_lab.recall.cognitive.direct import SEEDERS
from hebb_lab.recall.cognitive.extract import ENTITY_EXTRACTORS, TAGGERS
from hebb_lab.recall.embedders import EMBEDDERS
from hebb_lab.telemetry.readers import READERS

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
PAGE = CONFIGS / "README.md"


def test_the_page_lists_every_switch_as_the_rules_state_it():
    # When this fails, replace the table in configs/README.md by the one in the message.
    assert switch_table() in PAGE.read_text(), switch_table()
    assert cognitive_switch_table() in PAGE.read_text(), cognitive_switch_table()
    assert memory_switch_table() in PAGE.read_text(), memory_switch_table()


def test_the_page_names_every_group():
    groups = {path.name for path in CONFIGS.iterdir() if path.is_dir()}
    page = PAGE.read_text()
    assert {group for group in groups if f"| `{group}` |" not in page} == set()


def test_the_page_has_a_line_for_every_registered_name():
    page = PAGE.read_text()
    for registry in (
        READERS, TASKS, METHODS, LAYERS, ATTRIBUTIONS, EMBEDDERS, BACKENDS, PARTS, SEEDERS,
        ENTITY_EXTRACTORS, TAGGERS, FAMILIES, LIVES, STRATEGIES,
    ):  # fmt: skip
        assert [name for name in registry if f"`{name}`" not in page] == []
    assert [name for name in (*known_models(), *CLOCKS) if f"`{name}`" not in page] == []
    assert [name for name in MEASURES if f"`{name}" not in page] == []
