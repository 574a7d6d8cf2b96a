"""Lock-step agreement with OpenSpiel, state by state: legal actions, player, end and returns."""

import pyspiel
import pytest

import ludus

# Ours, theirs, games, and the share of turns in which a pass is left out of the choice (Go: longer fights).
PAIRS = [
    ("tic_tac_toe", {}, "tic_tac_toe", {}, 2000, 0),
    ("connect_four", {}, "connect_four", {}, 2000, 0),
    (
        "connect_four",
        {"width": 9, "height": 8, "line": 5},
        "connect_four",
        {"columns": 9, "rows": 8, "x_in_row": 5},
        500,
        0,
    ),
    ("othello", {}, "othello", {}, 1500, 0),
    ("hex", {"size": 4}, "hex", {"board_size": 4}, 2000, 0),
    ("hex", {"size": 7}, "hex", {"board_size": 7}, 1000, 0),
    ("hex", {"size": 11}, "hex", {"board_size": 11}, 300, 0),
    ("hex", {"size": 5, "swap": True}, "hex", {"board_size": 5, "swap": True}, 500, 0),
    ("nim", {"stones": 12, "most": 12}, "nim", {"pile_sizes": "12", "is_misere": False}, 2000, 0),
    ("go", {"size": 5, "komi": 0.5, "superko": "draw"}, "go", {"board_size": 5, "komi": 0.5}, 1000, 0),
    ("go", {"size": 5, "komi": 0.5, "superko": "draw"}, "go", {"board_size": 5, "komi": 0.5}, 1000, 1),
    ("go", {"size": 9, "komi": 5.5, "superko": "draw"}, "go", {"board_size": 9, "komi": 5.5}, 300, 0.9),
    ("go", {"size": 19, "komi": 7.5, "superko": "draw"}, "go", {"board_size": 19, "komi": 7.5}, 25, 0.9),
    ("go", {"size": 7, "komi": 7, "superko": "draw"}, "go", {"board_size": 7, "komi": 7.0}, 300, 0.9),
]


@pytest.mark.parametrize("name, options, peer, peer_options, games, busy", PAIRS, ids=lambda v: str(v))
def test_lock_step_with_openspiel(name, options, peer, peer_options, games, busy, record_property):
    ours, theirs, rng = ludus.make(name, **options), pyspiel.load_game(peer, peer_options), ludus.Rng(7)
    assert theirs.num_distinct_actions() >= ours.num_actions
    positions = 0
    for _ in range(games):
        state, other = ours.start(), theirs.new_initial_state()
        while True:
            positions += 1
            assert state.over == other.is_terminal()
            if state.over:
                assert [state.score(0), state.score(1)] == other.returns()
                break
            actions = state.actions()
            assert state.player == other.current_player()
            assert actions == other.legal_actions()
            if len(actions) > 1 and busy and rng.uniform() < busy:
                actions = actions[:-1]
            action = rng.choice(actions)
            state = state.play(action)
            other.apply_action(action)
    record_property("positions compared with OpenSpiel", positions)


def test_superko_draws_were_among_the_games():
    """The rule most easily got wrong does come up in the games above."""
    game, rng, draws = ludus.make("go", size=5, superko="draw"), ludus.Rng(7), 0
    for _ in range(1000):
        state = game.start()
        while not state.over:
            actions = state.actions()
            state = state.play(rng.choice(actions[:-1] or actions))
        draws += state.score(0) == 0
    assert draws >= 5
