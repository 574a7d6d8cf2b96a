"""Links hold whole games: written, read again, and forgiving where they are wrong."""

import pytest

import ludus
from ludus.errors import LudusError
from ludus.web.library import Library
from ludus.web.link import nearest_link, read_link, write_link

LIBRARY = Library()


@pytest.mark.parametrize(
    ("name", "options", "moves"),
    [
        ("hex", {"size": 5, "swap": True}, "c3 swap d2"),
        ("go", {"size": 5, "komi": 6.5}, "C3 pass A1"),
        ("othello", {}, "d3 c3"),
        ("nim", {"stones": 9}, "3 1"),
        ("ledge", {"coins": "c . G . c"}, ""),
        ("connect_four", {}, "4 4 3"),
        ("tic_tac_toe", {}, "b2 a1"),
    ],
)
def test_a_link_brings_back_the_game_and_its_moves(name, options, moves):
    game = ludus.make(name, **options)
    actions = tuple(game.read(word) for word in moves.split())
    link = write_link(LIBRARY, game, actions)
    read = read_link(LIBRARY, link)
    assert (read.game, read.actions, read.selected, read.wrong) == (game, actions, len(actions), "")
    assert " " not in link and "#" not in link


def test_a_link_selects_a_move():
    game = ludus.make("hex", size=5)
    link = write_link(LIBRARY, game, (12, 3, 4), selected=1)
    assert link == "hex,size=5/c3.d1.e1@1"
    assert read_link(LIBRARY, link).selected == 1


def test_usual_options_and_those_that_follow_from_others_are_left_out():
    assert write_link(LIBRARY, ludus.make("go", size=5), ()) == "go,size=5"  # komi and the longest game follow
    assert write_link(LIBRARY, ludus.make("hex"), ()) == "hex"


@pytest.mark.parametrize(
    ("link", "kept", "said"),
    [
        ("hex,size=5/c3.c3.d4", 1, "Move 2 of the link, 'c3', cannot be played"),
        ("hex,size=5/z9", 0, "Move 1 of the link, 'z9', cannot be played"),
        ("nim,stones=3/3.1", 1, "The game is over after move 1"),
        ("hex,size=5/c3.d4@7", 2, "selects move '7', but it has 2 moves"),
        ("hex,size=5/c3@x", 1, "selects move 'x'"),
    ],
)
def test_a_link_goes_as_far_as_its_moves_are_legal_and_says_which_is_not(link, kept, said):
    read = read_link(LIBRARY, link)
    assert len(read.actions) == kept and said in read.wrong


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("hxe/c3", "did you mean hex"),
        ("hex,size=99", "size must be a whole number from 3 to 19"),
        ("hex,siz=5", "hex has no option 'siz'"),
        ("hex,5", "is no option"),
        ("hex,size=five", "must be a whole number"),
        ("my_game.py:Secret", "the link names a game"),
        ("x" * 30_000, "longer than"),
    ],
)
def test_a_link_whose_game_cannot_be_made_is_refused_with_a_sentence(link, said):
    with pytest.raises(LudusError, match=said):
        read_link(LIBRARY, link)


def test_the_nearest_good_link_is_the_game_with_the_most_similar_name():
    assert nearest_link(LIBRARY, "hxe,size=5/c3", "nim") == "hex,size=5/c3"
    assert nearest_link(LIBRARY, "hxe,size=99/c3", "nim") == "hex"
    assert nearest_link(LIBRARY, "othello,size=7/c3", "nim") == "othello"
    assert nearest_link(LIBRARY, "%00%ff", "nim") == "nim"
