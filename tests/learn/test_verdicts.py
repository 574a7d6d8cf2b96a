"""Sentences about learning say no more than their numbers allow."""

import pytest

from ludus.cli.follow import line_of
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.stages import Stages, verdict
from ludus.learn.watch import Score, Watcher, score_against
from ludus.play.record import Record
from ludus.play.report import html_report
from ludus.play.standing import standing
from ludus.play.tournament import Outcome, Tournament
from tests.learn.test_school import HEX, NetworkEvaluator, network


def contest(results):
    """A finished tournament of networks after 0, 10, 20 … episodes; results[i, j] are the points of j against i."""
    count = max(j for _, j in results) + 1
    names = {f"episode {10 * i}": 10 * i for i in range(count)}
    label = list(names)
    records = []
    for (i, j), (won, games) in results.items():
        for k in range(games):
            records.append(
                Record({}, (label[j], label[i]), 0, None, (), (), 1.0 if k < won else -1.0, "rules", number=k)
            )
    return Stages(names), standing(label, records, 0)


def test_strength_that_goes_up_and_down_is_not_called_rising():
    """Elo 20, 30, 40, 10, 0: five networks that nobody can tell apart with four games each."""
    told = verdict(*contest({(i, j): (2, 4) for i in range(5) for j in range(i + 1, 5)}))
    assert "not clear that training helped" in told and "no trend is clear" in told and "rises" not in told
    assert "0 are clear gains and 0 clear losses" in told


def test_clear_gains_and_losses_are_reported_with_their_intervals():
    told = verdict(*contest({(0, 1): (20, 20), (0, 2): (20, 20), (1, 2): (2, 20)}))
    assert "Training helped: after 20 episodes the network scored 20 of 20 (95% interval 84% to 100%)" in told
    assert "1 is a clear gain and 1 a clear loss" in told
    fallen = verdict(*contest({(0, 1): (0, 20), (0, 2): (0, 20), (1, 2): (10, 20)}))
    assert "Training did harm" in fallen


def test_a_rise_among_trained_networks_is_reported_only_if_it_is_clear():
    every = {(i, j): (18, 20) for i in range(4) for j in range(i + 1, 4)}
    assert "strength rises with training: the later of two scored 54 of 60 (95% interval 80% to 95%)" in verdict(
        *contest(every)
    )
    falling = every | {(1, 2): (1, 20), (2, 3): (1, 20), (1, 3): (1, 20)}
    assert "strength falls with training" in verdict(*contest(falling))


@pytest.mark.parametrize("points, games, words", [
    (1, 4, "Whether it has learned is not clear: it scored 1 of 4 games"),
    (0, 40, "It plays worse than before its training: it scored 0 of 40"),
    (30, 40, "It has learned: it scored 30 of 40 games against the untrained network (95% interval 60% to 86%)"),
])  # fmt: skip
def test_the_verdict_on_a_training_follows_its_interval(points, games, words, monkeypatch):
    class Nothing:
        game = evaluator = None
        run = type("", (), {"checkpoints": [None]})
        saved = staticmethod(lambda path: None)

    monkeypatch.setattr("ludus.learn.watch.score_against", lambda *arguments: Score(points, games))
    watcher = Watcher.__new__(Watcher)
    watcher.trainer, watcher.rows = Nothing(), []
    assert watcher.verdict().startswith(words)


def test_games_that_would_be_the_same_are_counted_once(tmp_path):
    import ludus
    from ludus.learn.checkpoint import save_checkpoint

    game = ludus.make("nim", stones=3)
    save_checkpoint(tmp_path / "n.safetensors", network(game), game, True, 0, {})
    score = score_against(
        game,
        NetworkEvaluator(game, network(game, seed=2)),
        load_checkpoint(tmp_path / "n.safetensors").evaluator(game),
        40,
    )
    assert 0 < score.games < 40


def test_the_probability_to_be_better_is_one_half_for_one_half():
    assert Score(10, 20).chance_better == pytest.approx(0.5)
    assert Score(20, 20).chance_better > 0.99 and Score(0, 20).chance_better < 0.01


def test_losses_have_names_and_there_is_none_of_a_critic_that_is_not_there():
    row = {"episode": 3, "seconds": 1.0, "positions_per_second": 5.0, "actor_loss": 2.11, "entropy": 1.5}
    assert "actor loss 2.110, entropy 1.500" in line_of(row, None) and "critic" not in line_of(row, None)
    assert "critic loss 0.702" in line_of(row | {"critic_loss": 0.702}, None)


@pytest.mark.parametrize("paired, words", [
    (True, "2 random plies, each played twice, with sides exchanged."), (False, "2 random plies, each played once;"),
])  # fmt: skip
def test_the_report_says_how_openings_are_played(paired, words):
    tournament = Tournament(HEX, ("random", "greedy"), 2, paired=paired)
    assert words in html_report(tournament, Outcome([], tournament.standing([]), None, 0))
