"""What the command line says at the end."""

import json
import shutil

import pytest

from hebb_lab.halflife.report.tell import headline, tell


def test_the_table_the_half_lives_the_claims_and_the_files_are_told(once, capsys):
    tell(once)
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[1].startswith("world:tiny · half-life · scored: ")
    assert "rows at 7 days, at " in lines[1]
    assert lines[1].endswith("of 3 blocks")
    assert any(line.split()[:1] == ["heuristic_deployed"] for line in lines)
    assert "Half-lives, fitted to the whole log" in out
    assert "    personal: " in out
    asked = out[out.index("Does a learned half-life help?") :].splitlines()
    assert asked[1].split("  ")[1] == "model"
    assert asked[1].endswith("by log loss at 7 days")
    assert asked[2].split()[0] == "frailty"
    assert max(map(len, asked[: asked.index("")])) <= 92
    for name in ("leaderboard.md", "half_lives.yaml", "synapse_store.json"):
        assert str(once / name) in out


def test_a_skipped_model_is_named_and_one_that_fell_back_is_marked(once, tmp_path, capsys):
    made = shutil.copytree(once, tmp_path / "made")
    result = json.loads((made / "result.json").read_text())
    for entry in result["models"]:
        if entry["arm"] == "oracle":
            entry.update(status="skipped", error="no truth", final=None)
        if entry["arm"] == "frailty":
            entry["fell_back"] = [1]
    (made / "result.json").write_text(json.dumps(result))
    tell(made)
    out = capsys.readouterr().out
    assert "oracle: skipped: no truth" in out
    assert "fell back in 1 of 3 splits" in out
    assert "† scored as namespace_defaults" in out


def test_the_headline_is_the_log_loss_of_the_default_model(once):
    rows = json.loads((once / "leaderboard.json").read_text())["rows"]
    found = [r["value"] for r in rows if (r["arm"], r["metric"]) == ("frailty", "log loss@7d")]
    assert headline(once) == found[0]


def with_personal(once, folder, **changed):
    """A copy of a run in which frailty says something else of personal."""
    made = shutil.copytree(once, folder)
    result = json.loads((made / "result.json").read_text())
    (entry,) = [each for each in result["models"] if each["arm"] == "frailty"]
    entry["final"]["parameters"]["half_life[personal]"].update(changed)
    (made / "result.json").write_text(json.dumps(result))
    return made


@pytest.mark.parametrize("value", [2000.0, None])
def test_a_group_that_half_lives_yaml_has_no_value_for_has_none_of_its_own(
    once, tmp_path, capsys, value
):
    verdict = "only 9 re-activations: no estimate of its own; that of the others is used"
    ends = {"low": None, "high": None, "events": 9, "verdict": verdict}
    tell(with_personal(once, tmp_path / "made", value=value, **ends))
    out = capsys.readouterr().out
    assert f"    personal: none of its own: {verdict}, from 9 re-activations\n" in out
    assert "2,000 days" not in out


def test_beside_the_stores_file_stands_how_many_values_are_a_bound_of_the_store(
    once, tmp_path, capsys
):
    made = shutil.copytree(once, tmp_path / "made")
    for clipped, edges, said in (([], 0, ""), (["a"], 0, "1 value"), (["a", "b"], 1500, "1,502 v")):
        store = {"clipped": clipped, "edges_clipped": edges}
        (made / "synapse_store.json").write_text(json.dumps(store))
        tell(made)
        out = capsys.readouterr().out
        (line,) = [each for each in out.splitlines() if each.startswith("for the store")]
        assert (said in line, "clipped to [3, 120] days" in line) == (True, bool(said))
