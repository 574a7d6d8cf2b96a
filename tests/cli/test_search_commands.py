"""`ludus solve`, `ludus explain` and the search benchmarks, as a newcomer calls them."""

import json

from tests.cli.test_cli import ludus


def test_solve_prints_the_truth():
    answer = json.loads(ludus("solve", "hex", "--size", "4", "--json"))
    assert answer["value"] == 1 and answer["score"] is None and answer["seconds"] >= 0
    assert [move for move, value in answer["moves"].items() if value == 1] == ["d1", "c2", "b3", "a4"]
    assert "win      d1 c2 b3 a4" in ludus("solve", "hex", "--size", "4")


def test_solve_counts_disks_and_points():
    answer = json.loads(ludus("solve", "othello", "--size", "4", "--json"))
    assert (answer["value"], answer["score"]) == (-1, -8)
    blocked = json.loads(ludus("solve", "othello", "--size", "4", "--no-passing", "--json"))
    assert (blocked["value"], blocked["score"]) == (-1, -6)
    go = json.loads(ludus("solve", "go", "--size", "2", "--json"))
    assert go["score"] is not None


def test_solve_takes_a_position_as_people_write_it():
    answer = json.loads(ludus("solve", "connect_four", "--position", "4 4 4 4 4 2 1 7 1 1 3 3 3 5", "--json"))
    assert answer["value"] == 1 and answer["moves"]["2"] == 1
    assert json.loads(ludus("solve", "nim", "--stones", "12", "--position", "1 2", "--json"))["value"] == 1


def test_solve_says_unknown_and_not_a_guess():
    answer = json.loads(ludus("solve", "hex", "--size", "11", "--seconds", "0.5", "--json"))
    assert answer["value"] is None and set(answer["moves"].values()) <= {None}
    assert "unknown" in ludus("solve", "go", "--size", "9", "--seconds", "0.5")


def test_solve_refuses_with_a_sentence():
    assert "say which game" in ludus("solve", code=2)
    assert "did you mean hex" in ludus("solve", "hexx", code=2)
    assert "cannot read 'z9'" in ludus("solve", "hex", "--position", "z9", code=2)
    assert "not legal here" in ludus("solve", "hex", "--position", "a1 a1", code=2)
    assert "from 3 to 19" in ludus("solve", "hex", "--size", "99", code=2)
    assert "seconds must be" in ludus("solve", "hex", "--seconds", "-1", code=2)
    for arguments, sentence in (
        (["solve", "hex", "--size", "x"], "ludus solve: --size must be a whole number, not 'x'\n"),
        (["solve", "hex", "--size", "99"], "ludus solve: size must be a whole number from 3 to 19, not 99\n"),
        (["solve", "hex", "--seconds", "x"], "ludus solve: --seconds must be a number, not 'x'\n"),
        (["solve", "hex", "--sixe", "5"], "ludus solve: unrecognized options: --sixe, 5; --help lists what there is\n"),
        (["explain", "hex", "--out", "/proc/x.png"], None),
    ):
        said = ludus(*arguments, code=2 if sentence else 1)
        assert said.count("\n") == 1 and sentence in (None, said)


def test_explain_draws_a_picture_and_a_table(tmp_path):
    for name, arguments in {
        "hex.png": ["hex", "--size", "4", "--position", "b2"],
        "four.svg": ["connect_four", "--position", "4 4", "--agent", "mcts:simulations=300,rave=true"],
        "ledge.png": ["ledge", "--agent", "mcts:simulations=200"],
        "go.png": ["go", "--size", "5", "--agent", "mcts:seconds=0.2"],
        "nim.pdf": ["nim", "--stones", "7"],
    }.items():
        text = ludus("explain", *arguments, "--out", str(tmp_path / name))
        assert "chose" in text and "visits" in text
        assert (tmp_path / name).stat().st_size > 5000
    assert (tmp_path / "hex.png").read_bytes().startswith(b"\x89PNG")


def test_explain_as_json(tmp_path):
    answer = json.loads(ludus("explain", "hex", "--size", "4", "--out", str(tmp_path / "x.png"), "--json"))
    assert answer["simulations"] == 2000 and len(answer["moves"]) == 16 and answer["moments"][-1]["simulations"] == 2000
    assert sum(row["visits"] for row in answer["moves"]) == 2000


def test_explain_shows_the_tree_of_alphabeta_with_its_cut_offs(tmp_path):
    picture = tmp_path / "tree.png"
    text = ludus("explain", "hex", "--size", "4", "--agent", "alphabeta:depth=3", "--out", str(picture))
    assert "refuted by" in text and "not looked at" in text and "chosen" in text and picture.stat().st_size > 5000
    for agent in ("minimax:depth=2", "deepening:depth=3", "alphabeta:depth=3"):
        arguments = ["explain", "othello", "--size", "6", "--agent", agent, "--out", str(picture), "--json"]
        answer = json.loads(ludus(*arguments))
        assert answer["kind"] == "tree" and answer["tree"]["move"] is None and len(answer["tree"]["children"]) == 4
        assert answer["tree"]["window"] == [None, None] and answer["move"] == answer["tree"]["best"]
        assert [row["depth"] for row in answer["depths"]] == ([1, 2, 3] if "deepening" in agent else [])


def test_explain_shows_the_bare_network_and_the_search_it_guides(tmp_path):
    arguments = ["explain", "hex", "--size", "5", "--position", "c3", "--out", str(tmp_path / "net.png"), "--json"]
    bare = json.loads(ludus(*arguments, "--agent", "zoo:hex5"))
    assert bare["kind"] == "network" and -1 <= bare["value"] <= 1 and "search" not in bare
    assert abs(sum(row["policy"] for row in bare["moves"]) - 1) < 1e-6 and len(bare["moves"]) == 24
    guided = json.loads(ludus(*arguments, "--agent", "zoo:hex5:simulations=60"))
    assert guided["value"] == bare["value"] and guided["search"]["simulations"] <= 60
    assert guided["moves"][0]["move"] == guided["move"] == guided["search"]["move"]
    words = ludus(*arguments[:-1], "--agent", "zoo:hex5")
    assert "Without looking ahead" in words and "policy" in words and "at random" not in words


def test_explain_shows_any_agent_that_values_its_moves(tmp_path):
    answer = json.loads(ludus("explain", "nim", "--agent", "flat", "--out", str(tmp_path / "x.svg"), "--json"))
    assert answer["kind"] == "values" and len(answer["moves"]) == 3


def test_explain_refuses_with_a_sentence(tmp_path):
    assert "says nothing about the moves that it did not choose" in ludus("explain", "hex", "--agent", "random", code=2)
    assert "this game has no margin" in ludus("explain", "hex", "--agent", "alphabeta:utility=margin", code=2)
    assert ludus("explain", "othello", "--agent", "zoo:hex5", code=2).count("\n") == 1
    assert "a .png, .svg or .pdf" in ludus("explain", "hex", "--out", "x.txt", code=2)
    assert "there is no folder" in ludus("explain", "hex", "--out", str(tmp_path / "no" / "x.png"), code=2)
    assert "the game is over" in ludus("explain", "nim", "--stones", "1", "--position", "1", code=2)


def test_bench_measures_searches():
    fast = ["--seconds", "0.02", "--repeats", "1", "--json", "--against", "openspiel"]
    rows = json.loads(ludus("bench", "mcts", "--simulations", "200", "--game", "hex", *fast))
    assert [row["options"]["size"] for row in rows] == [5, 7, 11] and all(row["ratio"] > 1 for row in rows)
    rows = json.loads(ludus("bench", "alphabeta", "--depth", "6", *fast))
    for row in rows:
        assert row["nodes"]["plain"] > row["nodes"]["ordering"] >= row["nodes"]["caching and ordering"]
