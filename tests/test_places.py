"""Paths as people write them."""

from pathlib import Path

from hebb_lab.places import place


def test_a_tilde_is_the_home_folder_and_one_of_nobody_stays(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert place("~/logs") == Path("/home/me/logs")
    assert place(Path("~/logs")) == Path("/home/me/logs")
    assert place("~nobody_has_this_name/logs") == Path("~nobody_has_this_name/logs")
    assert place("logs/~") == Path("logs/~")
