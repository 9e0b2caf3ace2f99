"""What the simulated agent is like: every number of the generator, with presets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hebb_lab.errors import ConfigError

MONDAY_US = 1_767_571_200_000_000  # 2026-01-05T00:00:00Z


@dataclass(frozen=True)
class SimulatorParameters:
    """A simulated team and its repository.

    The defaults were calibrated on the statistics of real logs alone (``python -m
    hebb_lab.simulator`` prints both), never on the score of an arm.

    Args:
        start_us: midnight of the first day, µs since 1970, a Monday.
        days: length of the log.
        sessions: number of sessions.
        weekend: activity of a weekend day, a weekday being 1.
        night: activity of the quietest hour, the busiest being 1.
        day_sigma: log-normal spread of the activity from day to day.
        turns_median: user prompts a session that lead to touches (log-normal).
        turns_sigma: its spread (natural log), as all sigmas here.
        touches_median: touches a turn, of the main agent.
        touches_sigma: its spread.
        touch_gap_seconds: median pause between two touches of an agent in a turn.
        touch_gap_sigma: its spread.
        wait: share of the touches in a turn that wait for the user as long as a prompt does.
        turn_gap_seconds: median pause between two turns, at most a day; pauses over an hour pass
            on the working clock, so that they skip nights and weekends.
        turn_gap_sigma: its spread.
        pace_sigma: log-normal spread of the pauses between turns from session to session.
        fan_out: share of the turns that start subagents.
        fan_out_agents: at most so many subagents in a fan-out, at least two.
        fan_out_touches_median: touches of one subagent (log-normal).
        fan_out_touches_sigma: its spread.
        fan_out_explore: how much more than the main agent a subagent looks for other nodes.
        topic_birth: share of the topic choices that open a new topic.
        topic_switch: share of the later turns of a session that choose their topic anew.
        topic_recency: an old topic comes back in proportion to (days since)^−topic_recency.
        topic_weight_sigma: log-normal spread of how much the topics are worked on.
        topic_files_median: files of a topic, touched or not (log-normal).
        topic_files_sigma: its spread.
        hubs: files that belong to no topic and are related to all.
        hub_zipf: popularity of the r-th hub is r^−hub_zipf.
        file_zipf: popularity of the r-th file of a topic is r^−file_zipf.
        relatives: mean number of related files in the topic, for each file.
        twin: share of the source files that have a test file.
        affinity_sigma: log-normal spread of the affinities in a topic.
        hub_relation: chance that a file is related to the first hub (others r^−1 of it).
        hub_affinity: affinity to a hub, that of two files of a topic being about 1.
        half_life_median_days: half-life of a related pair, over all topics.
        half_life_topic_sigma: spread of the topics' means.
        half_life_pair_sigma: spread of the pairs in a topic.
        residual: what is left of an association that was never used or has faded, of 1.
        scratch: share of the files that are soon deleted: plans, trials, reports.
        scratch_life_days: median life of such a file from its first touch (log-normal).
        death_median_days: median life of the others, hubs aside, who live for ever.
        death_sigma: spread of both.
        explore: chance that a touch goes to a node that is new to the agent's session, when the
            session has one node; it falls with the number of nodes.
        explore_fall: that chance is multiplied by (nodes in the session)^−explore_fall.
        explore_sigma: log-normal spread of that chance from turn to turn.
        stay: share of the other touches that stay at the node, for a median file of the greatest
            popularity.
        stay_popularity: the odds of staying are multiplied by popularity^stay_popularity.
        stay_sigma: logit-normal spread of that share from file to file: some are edited long.
        return_recency: the rest return to the r-th latest node with weight r^−return_recency.
        associate: intensity of the associations when all are fresh.
        topic: intensity of the topic's files that are known.
        hub: intensity of the hubs.
        birth: intensity of the topic's files that were never touched.
        focus: intensity of the files that the prompt means.
        anything: intensity of all known files together.
        context: weights of the last nodes from which associations start.
        focus_return: factor for returning to a file that the prompt means.
        bare_prompts: share of the prompts that name nothing ("go on").
        failures: share of the calls that fail.
    """

    start_us: int = MONDAY_US
    days: float = 41.0
    sessions: int = 270
    weekend: float = 0.45
    night: float = 0.15
    day_sigma: float = 0.6
    turns_median: float = 3.0
    turns_sigma: float = 0.9
    touches_median: float = 6.0
    touches_sigma: float = 1.0
    touch_gap_seconds: float = 5.8
    touch_gap_sigma: float = 1.3
    wait: float = 0.015
    turn_gap_seconds: float = 290.0
    turn_gap_sigma: float = 1.5
    pace_sigma: float = 0.7
    fan_out: float = 0.035
    fan_out_agents: int = 4
    fan_out_touches_median: float = 12.0
    fan_out_touches_sigma: float = 0.5
    fan_out_explore: float = 1.3
    topic_birth: float = 0.07
    topic_switch: float = 0.1
    topic_recency: float = 0.65
    topic_weight_sigma: float = 0.5
    topic_files_median: float = 21.0
    topic_files_sigma: float = 0.6
    hubs: int = 12
    hub_zipf: float = 0.4
    file_zipf: float = 1.5
    relatives: float = 14.0
    twin: float = 0.35
    affinity_sigma: float = 0.5
    hub_relation: float = 0.3
    hub_affinity: float = 0.4
    half_life_median_days: float = 6.0
    half_life_topic_sigma: float = 0.6
    half_life_pair_sigma: float = 0.5
    residual: float = 0.05
    scratch: float = 0.4
    scratch_life_days: float = 0.3
    death_median_days: float = 60.0
    death_sigma: float = 1.2
    explore: float = 0.61
    explore_fall: float = 0.45
    explore_sigma: float = 1.2
    stay: float = 0.78
    stay_popularity: float = 0.45
    stay_sigma: float = 0.5
    return_recency: float = 0.7
    associate: float = 2.0
    topic: float = 0.7
    hub: float = 0.065
    birth: float = 0.22
    focus: float = 1.3
    anything: float = 0.03
    context: tuple[float, ...] = (0.5, 0.3, 0.2)
    focus_return: float = 3.0
    bare_prompts: float = 0.2
    failures: float = 0.035

    def validate(self) -> None:
        """Refuse what cannot be simulated.

        Raises:
            ConfigError: when a share is outside [0, 1] or a size is not positive.
        """
        for name in SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(
                    f"dataset.{name}={getattr(self, name)} is no share", "Give it in [0, 1]"
                )
        for name in POSITIVE:
            if not getattr(self, name) > 0:
                raise ConfigError(
                    f"dataset.{name}={getattr(self, name)} is not positive", "Give more than 0"
                )
        if min(self.associate, self.topic, self.birth, self.focus) < 0:
            raise ConfigError("an intensity is negative", "Give 0 or more")
        if not self.context or min(self.context) < 0:
            raise ConfigError(
                f"dataset.context={self.context} is empty or negative", "Give weights"
            )


SHARES = (
    "weekend", "night", "fan_out", "topic_birth", "topic_switch", "twin", "hub_relation",
    "residual", "scratch", "explore", "stay", "wait", "bare_prompts", "failures",
)  # fmt: skip
POSITIVE = (
    "days", "sessions", "turns_median", "touches_median", "touch_gap_seconds", "turn_gap_seconds",
    "fan_out_touches_median", "topic_files_median", "hubs", "relatives", "half_life_median_days",
    "death_median_days", "scratch_life_days", "hub", "anything", "night", "weekend",
)  # fmt: skip

PRESETS: Mapping[str, SimulatorParameters] = {
    "team": SimulatorParameters(),
    "tiny": SimulatorParameters(
        days=12.0, sessions=20, touches_median=4.5, fan_out=0.02, topic_birth=0.1,
        topic_files_median=9.0, hubs=5,
    ),
    "large": SimulatorParameters(
        days=180.0, sessions=2000, day_sigma=0.5, topic_birth=0.03, hubs=25,
    ),
}  # fmt: skip
"""team: one repository and its developers for six weeks; tiny: for tests; large: half a year."""


def parameters_from(preset: str = "team", **changes: Any) -> SimulatorParameters:
    """A preset with changes.

    Raises:
        ConfigError: for a preset or a parameter that does not exist.

    >>> parameters_from("tiny", sessions=5).sessions
    5
    """
    if preset not in PRESETS:
        raise ConfigError(f"unknown preset '{preset}'", f"Known: {', '.join(PRESETS)}")
    known = {field.name for field in dataclasses.fields(SimulatorParameters)}
    for name in changes:
        if name not in known:
            raise ConfigError(
                f"the simulator has no parameter '{name}'", f"Known: {', '.join(sorted(known))}"
            )
    if "context" in changes:
        changes["context"] = tuple(float(weight) for weight in changes["context"])
    return dataclasses.replace(PRESETS[preset], **changes)
