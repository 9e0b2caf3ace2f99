"""`python -m hebb_lab` names the commands that there are."""

import subprocess
import sys


def test_every_command_it_names_answers_to_help():
    shown = subprocess.run(
        [sys.executable, "-m", "hebb_lab"], capture_output=True, text=True, check=True
    ).stdout
    modules = {word for word in shown.split() if word.startswith("hebb_lab.")}
    assert len(modules) == 4
    for module in modules:
        subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, check=True)
