"""`python -m hebb_lab`: which commands there are."""

from __future__ import annotations

import sys

COMMANDS = """hebb_lab: batch research on associative agent memory.

  python -m hebb_lab.run +exp=ablation     run an experiment (--help lists every setting)
  python -m hebb_lab.report runs/          leaderboards and figures from run folders
  python -m hebb_lab.simulator             how near the built-in agent is to real logs
  python -m hebb_lab.doctor                what this machine can do
"""

if __name__ == "__main__":
    sys.stdout.write(COMMANDS)
