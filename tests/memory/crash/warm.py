"""What every process that is killed needs, loaded once: new processes are forked from this one."""

from tests.memory.crash import child, steps

__all__ = ["child"]

for _scenario in steps.RULES:
    _store = steps.in_memory(_scenario)
    for _number in range(30):
        steps.take(_store, _scenario, 0, _number)
