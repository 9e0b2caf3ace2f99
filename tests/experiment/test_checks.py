"""Settings that cannot work are refused before anything is read."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.execute import execute
from hebb_lab.experiment.settings import Settings
from tests.experiment.tiny import composed

REFUSED = {
    "seed=-1": "seed=-1 is too small",
    "dataset.seed=-1": r"dataset\.seed=-1 is too small",
    "dataset.split=dev": r"dataset\.split=dev, and a log has no splits.*dataset=corpus",
    "dataset.tasks=[]": r"dataset\.tasks is empty",
    "dataset.tasks=[first_tuch]": "unknown task 'first_tuch'. Did you mean 'first_touch'",
    "dataset.windows.kinds=[files]": r"kinds=files is not a choice.*memory",
    "dataset.windows.graph_max=1": "Give 2 or more",
    "recall.depth=0": r"recall\.depth=0 is too small",
    "recall.inject=0": r"recall\.inject=0 is too small",
    "recall.rrf_k=-1": r"recall\.rrf_k=-1 is too small",
    "recall.restart=0": "no probability that ends a walk",
    "recall.restart=1.5": "no probability that ends a walk",
    "recall.embedder=mini": "unknown embedder 'mini'",
    "evaluation.measures=[]": r"evaluation\.measures is empty",
    "evaluation.measures=[ndgc@10]": "unknown measure 'ndgc'",
    "evaluation.measures=[P]": "'P' has no cut-off",
    "evaluation.headline=[any@3]": "'any@3' of task first_touch is not among",
    "evaluation.headline=[]": "the headline of first_touch is empty",
    "evaluation.resamples=0": r"evaluation\.resamples=0 is too small",
    "evaluation.flips=0": r"evaluation\.flips=0 is too small",
    "evaluation.interval=normal": "Use one of percentile, bca",
    "evaluation.trec=some": "Use one of none, base, all",
    "evaluation.trec_depth=0": r"evaluation\.trec_depth=0 is too small",
    "evaluation.protocol.seed_decay=-1": "seed_decay=-1 is too small",
    "evaluation.protocol.first_scored_block=6": "leaves none of the 6 blocks",
    "runtime.threads=0": r"runtime\.threads=0 is too small",
    "runtime.backend=gpu": "unknown back end 'gpu'",
    "runtime.device=tpu": r"unknown runtime\.device 'tpu'",
    "runtime={backend: cpu, device: cuda}": r"backend=cpu does not run on runtime\.device=cuda",
    "runtime={backend: reference, precision: float32}": r"Set runtime\.precision=float64",
    "runtime.precision=float16": r"unknown runtime\.precision 'float16'\. Use float64 or float32",
    "runtime.memory_mb=0": r"runtime\.memory_mb=0 is too small",
    "runtime.memory_mb=9999999999": r"runtime\.memory_mb=9999999999 is too large",
    "runtime.memory_mb=0.5": r"runtime\.memory_mb=0\.5 is not of type int",
    "+arms.x.method=synapses": "unknown method 'synapses'",
    "layers.use=[synapse,synapse]": "walks a layer twice: synapse, synapse",
    "layers.use=[1]": r"layers\.use=\[1\] is not a list of names",
    "dataset.tasks=[1]": r"dataset\.tasks=\[1\] is not a list of names",
    "recall.depth=10": r"recall\.depth=10 is too small",
    "recall.depth=1000000000": r"recall\.depth=1000000000 is too large",
    "seed=99999999999999999999": "is too large",
    "experiment=../../evil": "is no name for a folder",
    "+arms.x={rules: {hops: 1000000000}}": r"rules\.hops=1000000000",
    "layers.use=[synapsis]": "unknown layer 'synapsis'. Did you mean 'synapse'",
    "+arms.x={layers: [hebbian]}": "unknown layer 'hebbian'",
    "rules.learning_rate=-0.1": r"rules\.learning_rate=-0.1 is no number from 0 up",
    "+arms.x.rules={half_life: none, decay_shape: power_law}": r"Set rules\.half_life=fixed",
    "base=nobody": "compared with 'nobody', which is no arm",
}


@pytest.mark.parametrize("override", REFUSED)
def test_what_cannot_work_is_refused_before_anything_is_read_or_written(override, tmp_path):
    values = composed("+exp=ablation", override, f"paths.runs={tmp_path}")
    values["dataset"]["reader"] = "table"  # reading would fail: there is no path
    with pytest.raises(ConfigError, match=REFUSED[override]):
        execute(Settings.from_mapping(values), values)
    assert list(tmp_path.iterdir()) == []


def test_a_headline_that_no_chosen_task_has_need_not_be_measured(tmp_path):
    values = composed(
        "+exp=ablation", "evaluation.measures=[any@10]", "dataset.tasks=[first_touch]",
        f"paths.runs={tmp_path}",
    )  # fmt: skip
    values["dataset"]["reader"] = "table"
    with pytest.raises(ConfigError, match="needs a log"):
        execute(Settings.from_mapping(values), values)
