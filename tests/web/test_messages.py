"""What pages send is checked field by field, and both sides have the same types."""

import json
from pathlib import Path

import pytest

from ludus.web import codec, messages

STATIC = Path(codec.__file__).parent / "static"


def test_messages_are_read_with_their_defaults():
    assert codec.read_ask('{"ask": "play", "node": 3, "move": "c3"}') == messages.Play(3, "c3")
    assert codec.read_ask('{"ask": "new", "game": "hex"}').seats == ["person", ""]


@pytest.mark.parametrize(
    "text",
    [
        "x", "[]", "3", "null", '"ask"', "{}", '{"ask": "fly"}', '{"ask": ["play"]}', '{"ask": "play"}',
        '{"ask": "play", "node": true, "move": 1}', '{"ask": "play", "node": 0, "move": null}',
        '{"ask": "play", "node": 0, "move": 1, "more": 2}', '{"ask": "sit", "seats": "person"}',
        '{"ask": "sit", "seats": [1, 2]}', '{"ask": "run", "on": 1}', '{"ask": "ask", "path": [1.5]}',
        '{"ask": "new", "game": 7}', "[" * 50_000, '{"ask": "open", "table": "' + "x" * 70_000 + '"}',
    ],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(codec.BadMessage):
        codec.read_ask(text)


def test_the_types_in_javascript_are_those_of_python():
    """`python -m ludus.web.codec > src/ludus/web/static/messages.js` writes them."""
    assert (STATIC / "messages.js").read_text() == codec.typedefs()


def test_every_message_has_a_handler_and_is_documented():
    from ludus.web.desk import Desk

    for kind in messages.ASKS.values():
        assert hasattr(Desk, f"on_{kind.__name__.lower()}")
    told = (Path(__file__).parents[2] / "docs" / "web.md").read_text()
    for name in [*messages.ASKS, *messages.TELLS]:
        assert f"`{name}`" in told, f"docs/web.md does not explain the message {name}"


def test_messages_are_written_as_json_without_nan():
    text = codec.write_tell(messages.Refused("No."))
    assert json.loads(text) == {"tell": "refused", "sentence": "No.", "action": None, "link": None}
    with pytest.raises(ValueError):
        codec.write_tell(messages.Hinted(float("nan"), 1, ""))
