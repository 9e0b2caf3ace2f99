"""The files of LoCoMo are found by name, and what is none is refused."""

import pytest

from hebb_lab.corpora.locomo.files import files_at, json_of
from hebb_lab.errors import InputError
from tests.corpora.locomo.made import locomo


def test_a_folder_and_the_file_in_it_are_the_same(tmp_path):
    locomo(tmp_path)
    found = files_at(tmp_path)
    assert found == files_at(tmp_path / "locomo10.json")
    assert [file.name for file in found.present] == [
        "locomo10.json", "audit_errors.json", "entities_gliner_filtered.json",
    ]  # fmt: skip


def test_corrections_and_entities_may_be_absent_and_the_file_may_have_another_name(tmp_path):
    locomo(tmp_path, corrections=None, entities=None)
    (tmp_path / "locomo10.json").rename(tmp_path / "mine.json")
    found = files_at(tmp_path / "mine.json")
    assert (found.corrections, found.entities) == (None, None)
    assert found.present == (tmp_path / "mine.json",)
    with pytest.raises(InputError, match=r"the folder has no locomo10\.json"):
        files_at(tmp_path)


def test_a_path_to_nothing_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        files_at(tmp_path / "gone")


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "no JSON"), (b"[1,", "no JSON"), (b"{}", "holds dict and no list")]
)
def test_what_is_no_json_of_the_kind_is_refused_with_the_file(tmp_path, content, why):
    (tmp_path / "f.json").write_bytes(content)
    with pytest.raises(InputError, match=rf"f\.json.*{why}"):
        json_of(tmp_path / "f.json", list, None)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be opened"):
        json_of(tmp_path, list, None)
