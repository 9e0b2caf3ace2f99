"""Figures of a page, and the page that shows them."""

from matplotlib.figure import Figure

from hebb_lab.pages.pictures import pictures, write_page
from hebb_lab.runs.rebuild import Options


def two():
    yield "first", Figure(figsize=(1, 1))
    yield "second", Figure(figsize=(1, 1))


def test_figures_are_saved_in_every_format_and_named(tmp_path):
    assert pictures(two, tmp_path, Options(formats=("md", "png", "svg"))) == ["first", "second"]
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == [
        "first.png", "first.svg", "second.png", "second.svg",
    ]  # fmt: skip


def test_nothing_is_drawn_where_no_figure_is_wanted(tmp_path):
    def never():
        raise AssertionError("drawn")

    assert pictures(never, tmp_path, Options(formats=("md",))) == []


def test_a_page_shows_its_figures_below_and_is_not_written_unasked(tmp_path):
    write_page(tmp_path / "a.md", "# text\n", ["first"], Options(formats=("md", "svg")))
    assert (tmp_path / "a.md").read_text() == "# text\n\n![first](figures/first.svg)\n"
    write_page(tmp_path / "b.md", "# text\n", ["first"], Options(formats=("json",)))
    assert not (tmp_path / "b.md").exists()
