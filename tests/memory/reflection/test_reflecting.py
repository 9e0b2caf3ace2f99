import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.reflection import extractive, stale_insights
from hebb_lab.memory.reflection.reflecting import unreflected
from hebb_lab.memory.values import EdgeKind, Kind
from tests.memory.reflection.made import NOW_US, World, around, says


def world_of(centers=3, each=15, **settings):
    world = World()
    world.add(around(centers, each), **settings)
    return world


def fails(sources):
    raise OSError("the model is away")


def fails_for(word):
    def writer(sources):
        if any(word in content for content in sources.contents):
            raise TimeoutError("too slow")
        return extractive(sources)

    return writer


def test_every_cluster_gives_an_insight_with_edges_to_its_sources():
    world = world_of()
    report = world.reflect()
    assert report.insights == report.clusters == len(report.ids) == 3
    rows = world.state.rows_of(report.ids)
    assert (world.state.column("kind")[rows] == Kind.INSIGHT).all()
    edges = world.state.edges
    assert (edges.kind == EdgeKind.INSIGHT_FROM).all()
    assert sorted(edges.target.tolist()) == list(range(45))
    for row in rows:
        sources = edges.target[edges.source == row]
        assert len({int(source) % 3 for source in sources}) == 1
        assert stale_insights(world.state, sources[:1]).tolist() == [row]


def test_an_insight_is_a_new_memory_of_the_moment():
    world = world_of()
    report = world.reflect(writer=says(confidence=0.8, tags=("sea",)))
    row = int(world.state.rows_of(report.ids)[0])
    for name in ("created_us", "updated_us", "accessed_us"):
        assert world.state.column(name)[row] == NOW_US
    assert world.state.column("importance")[row] == pytest.approx(0.59)
    assert world.state.column("decay_score")[row] == world.state.column("importance")[row]
    assert not world.state.column("stale")[row]
    context = world.journal.contexts(report.ids)[0]
    assert context == {"cluster": 0, "confidence": 0.8, "sources": 15, "tags": ["sea"]}
    assert world.journal.contents(report.ids) == ["They sail."] * 3
    assert world.state.edges.confidence == pytest.approx(0.59)  # the importance (hebbs.md §4.6)


def test_only_the_named_sources_have_edges():
    world = world_of()
    report = world.reflect(writer=says(sources=(0, 2, 99)))
    assert len(world.state.edges.source) == 6
    assert report.unknown_sources == 3


def test_without_an_embedder_the_vector_is_the_unit_mean_of_the_sources():
    world = world_of()
    report = world.reflect(writer=says(sources=(0, 1)))
    rows = world.state.rows_of(report.ids)
    for row in rows:
        sources = world.state.edges.target[world.state.edges.source == row]
        mean = world.state.vectors.take(sources).mean(0)
        made = world.state.vectors.take(np.array([row]))[0]
        np.testing.assert_allclose(made, mean / np.linalg.norm(mean), atol=1e-6)
    assert report.vectors_by == "mean"


def test_with_an_embedder_the_vector_is_that_of_the_text():
    world = world_of()
    made = np.eye(8, dtype=np.float32)[7]
    report = world.reflect(embed=lambda texts: np.tile(made, (len(texts), 1)))
    rows = world.state.rows_of(report.ids)
    assert (world.state.vectors.take(rows) == made).all()
    assert report.vectors_by == "embedder"


def test_an_entity_with_twenty_of_forty_is_seen_alone():
    world = World()
    world.add(around(2, 20), entities=["ada", "bob"] * 20)
    report = world.reflect(entity="ada")
    assert report.seen == 20
    assert set(world.marked().tolist()) == set(range(0, 40, 2))
    rows = world.state.rows_of(report.ids)
    assert {world.state.entities[number] for number in world.state.entity[rows]} == {"ada"}
    assert world.reflect(entity="nobody").seen == 0


def test_three_of_a_least_of_five_are_not_reflected_on():
    world = world_of(3, 1)
    report = world.reflect(reflect_least=5)
    assert (report.seen, report.waiting, report.insights) == (0, 3, 0)
    assert not len(world.marked())
    assert world.reflect(reflect_least=3, cluster_least=2).seen == 3


def test_a_global_insight_has_the_entity_that_its_sources_share():
    world = World()
    world.add(around(2, 20), entities=["ada", "bob"] * 20)
    rows = world.state.rows_of(world.reflect().ids)
    assert sorted(world.state.entities[n] for n in world.state.entity[rows]) == ["ada", "bob"]
    mixed = World()
    mixed.add(around(2, 20), entities=["ada"] * 20 + ["bob"] * 20)
    rows = mixed.state.rows_of(mixed.reflect().ids)
    assert mixed.state.entity[rows].tolist() == [-1, -1]


def test_what_was_reflected_on_is_not_seen_again():
    world = world_of()
    assert world.reflect().seen == 45
    assert world.reflect().waiting == 0
    world.add(around(3, 4, seed=9), start_us=NOW_US)
    assert world.reflect(at_us=NOW_US + 10**9).seen == 12


def test_the_oldest_are_seen_first_and_at_most_reflect_most():
    world = World()
    world.add(around(1, 6), start_us=500_000_000)
    world.add(around(1, 6), start_us=1_000_000)
    report = world.reflect(reflect_most=6)
    assert (report.waiting, report.seen) == (12, 6)
    assert world.marked().tolist() == list(range(6, 12))


def test_what_was_written_later_or_has_no_vector_or_is_no_episode_is_not_seen():
    world = World()
    vectors = around(1, 8)
    vectors[2] = 0
    world.add(vectors, kind=[1, 1, 1, 2, 3, 1, 1, 1])
    assert unreflected(world.state, world.rules, 7_000_000, None).tolist() == [0, 1, 5, 6]


def test_superseded_episodes_are_seen_only_by_rule():
    world = World()
    world.add(around(1, 8), superseded=[1, 0] * 4)
    assert unreflected(world.state, world.rules, NOW_US, None).tolist() == [1, 3, 5, 7]
    rules = world.rules.change(reflect_superseded=True)
    assert len(unreflected(world.state, rules, NOW_US, None)) == 8


def test_a_writer_that_fails_fails_its_cluster_alone():
    world = world_of()
    report = world.reflect(writer=fails_for("episode 0 "))
    assert report.insights == 2
    assert [failure.problem for failure in report.failures] == ["TimeoutError: too slow"]
    assert report.failures[0].episodes == 15


def test_a_failed_cluster_is_seen_again_unless_the_cursor_always_moves():
    world = world_of()
    assert world.reflect(writer=fails_for("episode 0 ")).seen == 45
    assert set(range(45)) - set(world.marked().tolist()) == set(range(0, 45, 3))
    assert world.reflect().seen == 15
    lost = world_of()
    lost.reflect(writer=fails, reflect_cursor="always")
    assert len(lost.marked()) == 45
    assert lost.reflect().waiting == 0


def test_where_every_cluster_fails_nothing_changes():
    world = world_of()
    version = world.state.version
    report = world.reflect(writer=fails)
    assert len(report.failures) == report.clusters == 3
    assert world.state.version == version


def test_an_answer_that_is_no_list_and_refused_insights_are_failures():
    world = world_of()
    assert "no list" in world.reflect(writer=lambda cluster: "text").failures[0].problem
    report = world.reflect(writer=says(text=""))
    assert "empty" in report.failures[0].problem
    assert report.insights == 0


def test_refused_insights_beside_good_ones_are_told():
    world = world_of()
    report = world.reflect(writer=lambda cluster: [*says()(cluster), *says(confidence=2)(cluster)])
    assert report.insights == 3
    assert len(report.refused) == 3
    assert report.failures == ()


def test_a_writer_with_nothing_to_say_has_not_failed():
    world = world_of()
    report = world.reflect(writer=lambda cluster: [])
    assert (report.insights, report.failures) == (0, ())
    assert len(world.marked()) == 45


def test_small_clusters_and_noise_are_counted_and_not_seen_again():
    world = World()
    world.add(np.concatenate([around(2, 10), np.eye(8, dtype=np.float32)[5:7]]))
    report = world.reflect()
    assert report.too_small == 2
    assert len(world.marked()) == 22
    scattered = World()
    rng = np.random.default_rng(3)
    wild = rng.standard_normal((12, 8))
    wild = (wild / np.linalg.norm(wild, axis=1, keepdims=True)).astype(np.float32)
    scattered.add(np.concatenate([around(2, 10), wild]))
    report = scattered.reflect(clustering="hdbscan")
    assert report.noise > 0
    sources = len(np.unique(scattered.state.edges.target))
    assert sources + report.noise + report.too_small == report.seen == 32


def test_the_same_world_reflected_on_twice_gives_the_same_bytes():
    first, again = world_of(), world_of()
    one, two = first.reflect(), again.reflect()
    assert list(one.ids) == list(two.ids)
    assert first.journal.contents(one.ids) == again.journal.contents(two.ids)


def test_ids_of_insights_lie_above_all_others():
    world = world_of()
    before = max(world.state.ids_of(np.arange(45)))
    assert min(world.reflect().ids) > before


def test_a_world_that_is_opened_again_still_knows_what_was_reflected_on():
    world = world_of()
    world.reflect(writer=fails_for("episode 0 "))
    again = World()
    for change in world.journal.load():
        again.state.apply(change)
    assert (again.state.column("reflected") == world.state.column("reflected")).all()
    assert len(again.state.edges.source) == 30


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 1000), st.integers(0, 60), st.integers(1, 8), st.integers(1, 5),
    st.sampled_from(["kmeans", "hdbscan"]), st.sampled_from(["success", "always"]),
)  # fmt: skip
def test_every_episode_that_is_seen_is_accounted_for(seed, count, centers, least, how, cursor):
    world = World()
    if count:
        world.add(around(centers, -(-count // centers), spread=0.4, seed=seed)[:count])
    report = world.reflect(
        writer=fails_for("episode 3 "), clustering=how, cluster_least=least, reflect_cursor=cursor
    )
    failed = sum(failure.episodes for failure in report.failures)
    drawn = len(np.unique(world.state.edges.target))
    assert report.seen == (count if count >= 5 else 0)
    assert report.seen == drawn + failed + report.too_small + report.noise
    assert report.clusters == report.insights + len(report.failures)
    assert len(world.marked()) == report.seen - (failed if cursor == "success" else 0)
