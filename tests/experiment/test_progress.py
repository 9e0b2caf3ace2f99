"""A bar on a terminal, silence elsewhere."""

from hebb_lab.experiment.progress import Progress


def test_nothing_is_shown_where_nobody_watches(capfd):
    with Progress() as progress:
        progress.reading("/logs/a.jsonl", 1, 2)
        progress.arms("bm25", 0, 3)
        progress.note("figures")
    assert capfd.readouterr() == ("", "")


def test_a_bar_goes_to_standard_error_when_it_is_wanted(capfd):
    with Progress(wanted=True) as progress:
        progress.reading("/logs/a.jsonl", 1, 2)
        progress.arms("bm25", 1, 3)
        progress.arms("", 3, 3)
        progress.note("figures")
        assert progress._bar.tasks[0].description == "figures"
    out, err = capfd.readouterr()
    assert out == ""
    assert err != ""
