"""What can go wrong, each with a type of its own. Every message is one sentence that says what would be right."""


class LudusError(ValueError):
    """A user's mistake, told in one sentence."""


class BadOption(LudusError):
    """An option is unknown or out of range."""


class UnknownGame(LudusError):
    """No game has this name."""


class IllegalAction(LudusError):
    """This action cannot be played in this state."""


class UnreadableAction(LudusError):
    """This text is not how an action is written."""


class BadBoard(LudusError):
    """This drawing is not a position of this game."""


class NotOver(LudusError):
    """A score was asked for before the end."""


class BrokenGame(LudusError):
    """A game breaks the contract that all games keep."""


class BadAnswer(LudusError):
    """An evaluator or heuristic returned something that no search can use."""
