"""The errors of Ludus, a type for each kind of mistake. Every message is one sentence that says what would be right."""

LONGEST = 1000  # characters of a message; what it quotes may come from anywhere


class LudusError(ValueError):
    """A user's mistake. The message is one sentence, on one line that every terminal can show."""

    def __str__(self) -> str:
        said = super().__str__()
        return said if said.isprintable() and len(said) <= LONGEST else in_one_line(said)


class Interrupted(LudusError):
    """The system no longer gives what the work needs. What is finished is kept, and the message says how to go on."""


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


def in_one_line(text: str, most: int = LONGEST) -> str:
    """A text without line breaks and control characters; of a long one the beginning and the end."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= most else f"{line[: most * 2 // 3]} … {line[len(line) - most // 3 + 3 :]}"


# ------------------------------------------------------------------------------------- refusing options


def within(name: str, value: object, low: float, high: float) -> None:
    """Refuses an option that is not a number in a range."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise BadOption(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")


def whole_option(name: str, value: object, low: int, high: int) -> None:
    """Refuses an option that is not a whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadOption(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def seed_option(name: str, value: object) -> None:
    """Refuses a seed that does not fit into 64 bits: the random generator would silently drop the others."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
        raise BadOption(f"{name} must be a whole number from 0 to {2**64 - 1} (64 bits), not {value!r}")


def switch_option(name: str, value: object) -> None:
    """Refuses an option that is not True or False."""
    if not isinstance(value, bool):
        raise BadOption(f"{name} must be True or False, not {value!r}")
