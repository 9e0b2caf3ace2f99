"""What can happen to memories: each operation is a pure function that makes one change."""

from hebb_lab.memory.limits import checked_time
from hebb_lab.memory.operations.asking import asked_cues
from hebb_lab.memory.operations.decaying import auto_forgotten, decayed
from hebb_lab.memory.operations.forgetting.forget import Criteria, Forgotten, collected, forgotten
from hebb_lab.memory.operations.lineage import Gone, Lineage, Relative, lineage_of
from hebb_lab.memory.operations.outcomes import reinforced_by, reinforced_ids
from hebb_lab.memory.operations.prime import Priming, primed
from hebb_lab.memory.operations.reading import insights_in, memories_in, memories_of
from hebb_lab.memory.operations.remember import Embed, remembered
from hebb_lab.memory.operations.revising.revise import KEEP, Keep, Revision, revised

__all__ = [
    "KEEP", "Criteria", "Embed", "Forgotten", "Gone", "Keep", "Lineage", "Priming", "Relative",
    "Revision", "asked_cues", "auto_forgotten", "checked_time", "collected", "decayed",
    "forgotten", "insights_in", "lineage_of", "memories_in", "memories_of", "primed",
    "reinforced_by", "reinforced_ids", "remembered", "revised",
]  # fmt: skip
