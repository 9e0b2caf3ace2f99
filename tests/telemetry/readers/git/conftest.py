"""Real repositories, made with git in a temporary folder."""

import os
import subprocess
from pathlib import Path

import pytest


class Repo:
    """A repository whose clock is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.time = 1_700_000_000
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER")
               for part, value in (("NAME", "n"), ("EMAIL", "n@example.com"),
                                   ("DATE", f"{self.time} +0000"))}  # fmt: skip
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(["git", "-C", str(self.folder), *arguments], check=True,
                              capture_output=True, env=os.environ | who | alone)  # fmt: skip
        return done.stdout.decode().strip()

    def write(self, *names: str | bytes) -> None:
        for name in names:
            path = self.folder / os.fsdecode(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(b"x\n")

    def commit(self, subject: str, *names: str | bytes, after: int = 60) -> str:
        self.time += after
        self.write(*names)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")


@pytest.fixture(autouse=True)
def _user_settings_do_not_matter(tmp_path_factory: pytest.TempPathFactory, monkeypatch):
    """The user's git settings are hostile in every test: what is read must be the same."""
    settings = tmp_path_factory.mktemp("settings") / "gitconfig"
    settings.write_text(
        "[log]\n\tshowSignature = true\n\tshowRoot = false\n\tdate = relative\n"
        "[core]\n\tquotepath = true\n[diff]\n\trenames = copies\n\trelative = true\n"
        "[color]\n\tui = always\n[format]\n\tpretty = oneline\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
