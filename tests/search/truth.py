"""The plainest minimax there is, with a memory of states: what all searches must agree with."""


def reachable(start):
    """Every state that play can reach, from the start on."""
    seen, layer = {start}, [start]
    while layer:
        layer = list({s.play(a) for s in layer for a in s.actions()} - seen)
        seen.update(layer)
    return seen


def truths(start):
    """The true score for the player to move, for every reachable state."""
    known = {}

    def value(state):
        if state not in known:
            if state.over:
                known[state] = state.score(state.player)
            else:
                children = [state.play(a) for a in state.actions()]
                known[state] = max(value(c) if c.player == state.player else -value(c) for c in children)
        return known[state]

    for state in reachable(start):
        value(state)
    return known
