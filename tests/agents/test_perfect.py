"""The agent that plays what is proven: judged by plain search, which knows the truth of small games."""

import pytest

import ludus
from ludus.agents import PerfectAgent, TimeLeft, make_agent, write_agent
from ludus.errors import BadOption
from ludus.search.solve import Solver
from tests.python_games import Noughts
from tests.search.truth import truths

PATIENT, HURRIED = "perfect:seconds=10", "perfect:seconds=0.3"  # in small games neither uses up its time
SMALL = {
    "tic_tac_toe": {},
    "nim": {"stones": 13},
    "ledge": {"coins": ". c . c G"},
    "hex": {"size": 3},
    "othello": {"size": 4},
    "go": {"size": 2},
    "connect_four": {"width": 4, "height": 4},
}


def seen_by(viewer, state, known):
    return known[state] if state.player == viewer else -known[state]


@pytest.mark.parametrize("name", SMALL)
def test_no_result_is_ever_thrown_away(name):
    game = ludus.make(name, **SMALL[name])
    known = truths(game.start())
    rng, agent, seen = ludus.Rng(3), make_agent("perfect:seconds=2"), set()
    for number in range(6):
        state = game.start()
        while not state.over:
            if state.player == number % 2:
                decision = agent.decide(state, rng)
                child = state.play(decision.action)
                assert seen_by(state.player, child, known) == known[state] == decision.value
                assert decision.why.startswith(("proven win", "draw proven", "proven loss"))
                seen.add(known[state])
            else:
                child = state.play(rng.choice(state.actions()))
            state = child
    assert 1 in seen


def lengths(state, known, value):
    """How many plies a win lasts if the winner hurries and the loser does not."""
    if state not in known:
        if state.over:
            known[state] = 0
        else:
            me = state.player
            kept = [c for a in state.actions() if seen_by(me, c := state.play(a), value) == value[state]]
            each = [1 + lengths(child, known, value) for child in kept]
            known[state] = min(each) if value[state] > 0 else max(each)
    return known[state]


def test_a_won_game_is_won_as_soon_as_can_be():
    game = ludus.make("connect_four", width=5, height=4)
    state = game.after("3 3 2")  # many ways to win, of which one is the shortest
    value = truths(state)
    known = {}
    won = [s for s in value if value[s] > 0 and not s.over][::1800]
    assert len(won) > 5
    agent = PerfectAgent(seconds=10)
    for state in won:
        decision = agent.decide(state, ludus.Rng(1))
        assert lengths(state.play(decision.action), known, value) + 1 == lengths(state, known, value)
        assert decision.why == f"proven win in {lengths(state, known, value)}"


@pytest.mark.parametrize("wanted", [0, -1])
def test_what_cannot_be_won_is_made_difficult(wanted):
    """As few replies as possible keep the draw, or the win, for the other player."""
    game = ludus.make("tic_tac_toe")
    known = truths(game.start())
    states = [s for s in known if known[s] == wanted and not s.over][:: 40 if wanted == 0 else 3]
    agent, choices = PerfectAgent(seconds=10), 0
    for state in states:
        kept = [a for a in state.actions() if seen_by(state.player, state.play(a), known) == wanted]
        shares = {action: holding_share(state.play(action), known) for action in kept}
        decision = agent.decide(state, ludus.Rng(1))
        assert shares[decision.action] == min(shares.values())
        choices += len(set(shares.values())) > 1
    assert choices > 5


def holding_share(child, known):
    replies = [child.play(action) for action in child.actions()]
    return sum(seen_by(child.player, r, known) == known[child] for r in replies) / len(replies) if replies else 1.0


def test_what_is_known_is_said_in_words():
    game = ludus.make("connect_four")
    decision = make_agent(HURRIED).decide(game.after("4 1 4 1 4 1"), ludus.Rng(1))
    assert (decision.action, decision.why, decision.value) == (3, "proven win in 1", 1.0)
    lost = game.after("3 1 4 1 5")  # open at both ends
    assert make_agent(HURRIED).decide(lost, ludus.Rng(1)).why.startswith("proven loss")
    won = make_agent("perfect:seconds=10").decide(ludus.make("othello", size=4).after("b1"), ludus.Rng(1))
    assert won.why == "proven win by 8"


def test_the_first_move_of_connect_four_is_known():
    decision = make_agent(HURRIED).decide(ludus.make("connect_four").start(), ludus.Rng(1))
    assert decision.action == 3 and decision.why.startswith("proven win")


@pytest.mark.parametrize(
    "game, options, kind",
    [("othello", {"size": 8}, "visits"), ("hex", {"size": 9}, "visits"), ("go", {"size": 9}, "visits")],
)
def test_where_nothing_is_proven_it_searches(game, options, kind):
    decision = make_agent(HURRIED).decide(ludus.make(game, **options).start(), ludus.Rng(1))
    assert decision.why.startswith("searching: ") and kind in decision.why


def test_a_visitors_game_is_searched():
    state = Noughts()
    for action in (0, 3, 1, 4):
        state = state.play(action)
    decision = make_agent(HURRIED).decide(state, ludus.Rng(1))
    assert decision.action == 2 and decision.why.startswith("searching: ")


def test_the_time_of_a_move_follows_the_settings_and_the_clock():
    state = ludus.make("connect_four").start()
    assert PerfectAgent().budget(state, None) == 1.0
    assert PerfectAgent(seconds=0.5).budget(state, None) == 0.5
    assert PerfectAgent(seconds=0.5).budget(state, TimeLeft(3600.0)) == 0.5
    assert PerfectAgent(seconds=0.5).budget(state, TimeLeft(2.0)) < 0.2


def test_it_is_an_agent_among_the_others():
    assert write_agent(make_agent("perfect:seconds=0.5")) == "perfect:seconds=0.5"
    with pytest.raises(BadOption, match="seconds must be a number above 0"):
        make_agent("perfect:seconds=0")


def test_the_table_is_kept_between_moves():
    game, agent = ludus.make("hex", size=5), PerfectAgent(seconds=5.0)
    agent.decide(game.start(), ludus.Rng(1))
    solver = agent._solver
    assert isinstance(solver, Solver)
    agent.decide(game.after("c3"), ludus.Rng(1))
    assert agent._solver is solver
