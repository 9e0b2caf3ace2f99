"""Words of the diaries, in lists that share none: what a question says is in one list alone."""

from __future__ import annotations

ADJECTIVES = (
    "amber", "ancient", "azure", "bitter", "blunt", "brass", "brisk", "bronze", "calm",
    "clever", "copper", "coral", "crimson", "curved", "dusty", "eager", "early", "faded",
    "fancy", "frozen", "gentle", "golden", "hollow", "humble", "ivory", "jolly", "lively",
    "lucky", "marble", "mellow", "modest", "narrow", "nimble", "noisy", "opal", "patient",
    "polished", "proud", "quiet", "rapid", "rustic", "scarlet", "silent", "silver", "smooth",
    "sturdy", "tidy", "velvet", "vivid", "woven",
)  # fmt: skip
NOUNS = (
    "anchor", "anvil", "banner", "barrel", "basket", "beacon", "bell", "bridge", "bucket",
    "candle", "canvas", "carpet", "castle", "compass", "cradle", "drum", "feather", "fence",
    "flute", "fountain", "goblet", "glove", "hammer", "harbor", "harness", "kettle", "ladder",
    "lantern", "ledger", "locket", "mirror", "needle", "orchard", "paddle", "parcel", "pillow",
    "pocket", "pulley", "quilt", "ribbon", "saddle", "shovel", "spindle", "statue", "sundial",
    "tunnel", "umbrella", "violin", "wagon", "windmill",
)  # fmt: skip
TOPICS: dict[str, tuple[str, ...]] = {
    "storage": ("buffer", "disk", "snapshot", "volume", "shard"),
    "network": ("packet", "router", "socket", "proxy", "gateway"),
    "billing": ("invoice", "refund", "ledgerline", "tax", "coupon"),
    "search": ("index", "query", "ranking", "synonym", "facet"),
    "login": ("password", "token", "session", "captcha", "lockout"),
    "mobile": ("screen", "gesture", "battery", "widget", "keyboard"),
    "reports": ("chart", "column", "export", "filter", "summary"),
    "build": ("compiler", "cache", "artifact", "pipeline", "linter"),
    "garden": ("compost", "seedling", "hedge", "pruning", "watering"),
    "travel": ("ticket", "hotel", "luggage", "passport", "ferry"),
    "cooking": ("dough", "oven", "spice", "broth", "recipe"),
    "music": ("rehearsal", "chord", "tempo", "concert", "score"),
}
PEOPLE = (
    "Alma", "Boris", "Carmen", "Dieter", "Esra", "Farid", "Greta", "Hanna", "Igor", "Jasmin",
    "Kenji", "Lena", "Marco", "Nadia", "Omar", "Petra", "Quentin", "Rosa", "Stefan", "Tuva",
    "Uma", "Viktor", "Wanda", "Yusuf", "Zora",
)  # fmt: skip
VERBS = (
    "Checked", "Repaired", "Discussed", "Measured", "Moved", "Replaced", "Reviewed", "Sketched",
    "Sorted", "Tested",
)  # fmt: skip
SYLLABLES = (
    "ba", "de", "fi", "go", "ku", "la", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "xa",
    "ye", "zo", "bre", "dra", "kla", "ple", "sto", "tri",
)  # fmt: skip
