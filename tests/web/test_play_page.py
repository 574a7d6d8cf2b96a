"""The play page in a real browser: whole games by clicks and by keys, thoughts, branches, links, restarts, phones."""

import re

import pytest

from tests.web.served import Server, Visit, settled

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright").expect
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def begin(visit, game, seats=("person", "search:random"), clock=None, **options):
    """A new game, asked for as the form does."""
    visit.told()
    fields = {"game": game, "options": options, "seats": list(seats), "clock": clock, "visitor": "test"}
    old = visit.page.evaluate("window.ludus.told.table")
    visit.page.evaluate("fields => window.ludus.ask('new', fields)", fields)
    return visit.told(lambda told: told["table"] != old)


def my_turn(told):
    status = told["status"]
    return status["over"] or told["position"]["player"] == status["person"]


def click_move(visit, told, action):
    """Plays an action as a visitor would: its cell, or its button."""
    cell = told["position"]["cell_of"].get(str(action))
    if cell is None:
        visit.page.click(f".board-others [data-action='{action}']")
    else:
        visit.page.click(f".board-picture [data-cell='{cell}']", force=True)


def play_to_the_end(visit, told, choose=lambda actions: actions[len(actions) // 2]):
    """Clicks one move after the other until the game is over."""
    while not (told := visit.told(my_turn))["status"]["over"]:
        moves = len(told["line"])
        actions = [int(action) for action in told["position"]["names"]]
        click_move(visit, told, choose(actions))
        visit.told(lambda now, moves=moves: len(now["line"]) > moves)
    return told


# ------------------------------------------------------------------------------------------- games by clicks


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("hex", {"size": 4}),
        ("hex", {"size": 3, "swap": True, "starter": 1}),
        ("tic_tac_toe", {}),
        ("connect_four", {"width": 5, "height": 4}),
        ("othello", {"size": 4}),
        ("go", {"size": 3}),
        ("nim", {"stones": 9}),
        ("Corners", {}),
        ("Subtract", {}),
    ],
)
def test_a_whole_game_by_clicks(visit, game, options):
    visit.open()
    told = play_to_the_end(visit, begin(visit, game, **options))
    expect(visit.page.locator("#sentence")).to_have_text(told["status"]["sentence"])
    assert re.search(r"win|draw", told["status"]["sentence"])
    expect(visit.page.locator("#moves li")).to_have_count(len(told["line"]))
    assert told["line"] == [] or visit.page.is_visible("#invitation") == (len(told["line"]) > 1)


def test_coins_are_moved_by_clicks(visit):
    """In Ledge a coin is clicked, and then where it goes."""
    visit.open()
    begin(visit, "ledge", coins=". c . G")
    slides = 0
    while not (told := visit.told(my_turn))["status"]["over"]:
        moves = len(told["line"])
        action, name = next(iter(told["position"]["names"].items()))
        if "-" in name:  # from one cell to another
            slides += 1
            visit.page.click(f".board-picture [data-cell='{name.split('-')[0]}']", force=True)
            expect(visit.page.locator(".board-picture .target")).not_to_have_count(0)
        click_move(visit, told, action)
        visit.told(lambda now, moves=moves: len(now["line"]) > moves)
    assert slides and "win" in told["status"]["sentence"]


def test_the_first_visit_is_a_game_that_can_be_played_at_once(visit):
    visit.open()
    told = visit.told()
    assert told["game"]["title"] == "Hex 7×7"
    expect(visit.page.locator("#aim")).to_have_text("Join the two red sides.")
    expect(visit.page.locator("#sentence")).to_have_text("Your move.")
    visit.page.click("[data-cell='24']", force=True)
    visit.told(lambda told: len(told["line"]) == 2)
    expect(visit.page.locator(".board-picture .last")).to_have_count(1)


def test_a_new_game_is_chosen_in_the_dialog(visit):
    visit.open()
    visit.told()
    visit.page.click("text=New game")
    visit.page.click("dialog label:has-text('Tic-tac-toe')")
    visit.page.wait_for_selector("dialog .about:has-text('in a row')")
    visit.page.click("dialog label:has-text('Blue')")
    visit.page.select_option("dialog select", label="First steps")
    visit.page.click("dialog button:has-text('Begin')")
    told = visit.told(lambda told: told["game"]["name"] == "tic_tac_toe" and len(told["line"]) == 1)
    assert [seat["name"] for seat in told["seats"]] == ["First steps", "You"]
    expect(visit.page.locator("dialog")).to_have_count(0)  # it goes when the browser has told that it was closed
    expect(visit.page.locator("[aria-roledescription=board]")).to_be_focused()


def test_a_wrong_size_in_the_dialog_gets_a_sentence(visit):
    visit.open()
    visit.told()
    visit.page.click("text=New game")
    visit.page.fill("dialog input[type=number]", "99")
    visit.page.keyboard.press("Tab")
    visit.page.wait_for_selector("#setup-note:has-text('from 3 to 19')")
    visit.expect_errors("status of 400")


def test_a_search_that_cannot_be_read_keeps_the_dialog_open(visit):
    visit.open()
    visit.told()
    visit.page.click("text=New game")
    visit.page.wait_for_selector("dialog optgroup", state="attached")
    visit.page.select_option("dialog select", "search:")
    visit.page.fill("dialog label:has-text('A search of your own, as text') input", "nonsense")
    visit.page.click("dialog button:has-text('Begin')")
    visit.page.wait_for_selector("#setup-note:has-text('A search is one of')")


def test_two_people_on_one_screen(visit):
    visit.open()
    told = play_to_the_end(visit, begin(visit, "tic_tac_toe", ["person", "person"]), lambda actions: actions[0])
    assert told["status"]["sentence"] == "Red wins: 3 in a line."
    expect(visit.page.locator(".board-picture .lit")).to_have_count(3)


def test_machines_play_pause_and_step(visit):
    visit.open()
    begin(visit, "tic_tac_toe", ["search:random", "search:random"])
    visit.page.click("#playback >> text=One move")
    visit.told(lambda told: len(told["line"]) == 1)
    visit.page.select_option("#playback select", "0")
    visit.page.click("#playback >> text=Play")
    told = visit.told(lambda told: told["status"]["over"])
    assert len(told["line"]) >= 5


def test_machines_play_on_when_their_speed_is_changed(visit):
    visit.open()
    begin(visit, "hex", ["search:random", "search:random"])
    visit.page.click("#playback >> text=Play")
    visit.told(lambda told: told["status"]["running"])
    visit.page.select_option("#playback select", "4")
    assert visit.told(lambda told: told["pause"] == 4)["status"]["running"]
    expect(visit.page.locator("#playback button").first).to_have_text("Pause")


# ------------------------------------------------------------------------------------------- keys


def test_a_whole_game_by_keyboard_only(visit):
    """From the address on: the tab key to the board, arrows, Enter, and single keys."""
    page = visit.open().page
    begin(visit, "tic_tac_toe", ["person", "person"])
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('board-picture')"):
            break
    middle = ["Enter"]
    for keys in (middle, ["ArrowLeft", "Enter"], ["ArrowUp", "Enter"], ["ArrowDown", "ArrowDown", "Enter"]):
        moves = len(visit.told()["line"])
        for key in keys:
            page.keyboard.press(key)
        visit.told(lambda told, moves=moves: len(told["line"]) == moves + 1)
    assert [move["name"] for move in visit.told()["line"]] == ["b2", "a2", "a1", "a3"]
    page.keyboard.press("u")
    visit.told(lambda told: told["head"] == 3)
    page.keyboard.press("[")
    visit.told(lambda told: told["node"] == 2)
    page.keyboard.press("]")
    visit.told(lambda told: told["node"] == 3)
    page.keyboard.press("?")
    page.wait_for_selector("dialog:has-text('undo')")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.fill("#move", "c3")
    page.keyboard.press("Enter")
    assert visit.told(lambda told: told["line"][-1]["name"] == "c3")


# ------------------------------------------------------------------------------------------- back, forth, branches


def test_the_link_to_the_board_leaves_the_game_alone(visit):
    visit.open()
    told = visit.told()
    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("[aria-roledescription=board]")).to_be_focused()
    expect(visit.page).to_have_url(re.compile("/#hex$"))
    visit.page.evaluate("window.ludus.ask('play', { node: 0, move: 0 })")  # whatever else was asked is answered before
    assert visit.told(lambda told: told["line"])["table"] == told["table"]


def test_undo_and_branch(visit):
    page = visit.open("/#hex,size=5/c3.b4.d2").page
    visit.told(lambda told: len(told["line"]) == 3)
    page.click("#controls >> text=Undo")
    visit.told(lambda told: told["head"] == 2)
    page.click("#moves button:has-text('c3')")
    visit.told(lambda told: told["node"] == 1)
    expect(page.locator("#elsewhere")).to_be_visible()
    page.click("[data-cell='0']", force=True)
    told = visit.told(lambda told: told["line"][-1]["name"] == "a1")
    assert told["line"][1]["others"] == [[2, "b4"]]
    page.click("#moves .branch")
    assert [move["name"] for move in visit.told(lambda told: told["node"] == 2)["line"]] == ["c3", "b4", "d2"]


def test_an_illegal_move_shakes_its_head_and_says_why(visit):
    page = visit.open("/#hex,size=5/c3").page
    visit.told(lambda told: len(told["line"]) == 1)
    page.click("[data-cell='12']", force=True)
    page.wait_for_selector(".refusal.shown:has-text('There is a stone already')")
    page.fill("#move", "z9")
    page.keyboard.press("Enter")
    page.wait_for_selector(".refusal.shown:has-text('a cell is a letter and a number')")


# ------------------------------------------------------------------------------------------- thoughts


def test_the_heat_map_and_the_perfect_answer_appear_and_go(visit):
    page = visit.open("/#hex,size=4/b2.c2").page
    visit.told(lambda told: len(told["line"]) == 2)
    page.keyboard.press("a")
    page.wait_for_selector(".layer-heat .heat", state="attached")
    page.wait_for_selector("#perfect:has-text('wins with perfect play')")
    page.wait_for_selector(".proof.good", state="attached")
    page.wait_for_selector(".proof.bad", state="attached")
    page.wait_for_selector(".meter .ends:has-text('Red 100%')")  # proven, so no guess of the search
    page.click('summary:has-text("Open the search\'s tree")')
    page.click(".tree-rows button >> nth=0")
    page.wait_for_selector(".tree-rows .tree-rows button")
    page.keyboard.press("a")
    page.wait_for_selector(".layer-heat .heat", state="detached")
    expect(page.locator(".proof")).to_have_count(0)


def test_the_graph_of_the_game_can_be_clicked_to_jump_back(visit):
    visit.open()
    begin(visit, "hex", ["search:mcts:simulations=50", "search:mcts:simulations=50"], size=4)
    visit.page.click("#playback >> text=Play")
    visit.told(lambda told: told["status"]["over"])
    visit.page.wait_for_selector(".graph-picture .way")
    settled(visit.page)
    box = visit.page.locator(".graph-picture").bounding_box()
    visit.page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
    assert visit.told(lambda told: told["node"] in (0, 1))["head"] > 1


def test_a_hint_is_marked_on_the_board_and_explained(visit):
    page = visit.open("/#connect_four/4.1.4.1.4.1").page
    visit.told(lambda told: len(told["line"]) == 6)
    page.keyboard.press("h")
    page.wait_for_selector(".refusal.shown:has-text('4 wins at once')")
    expect(page.locator(".board-picture .hint")).to_have_count(1)


def test_a_network_gives_its_opinion_beside_the_search(visit):
    pytest.importorskip("torch")
    page = visit.open("/#hex,size=5/c3").page
    visit.told(lambda told: len(told["line"]) == 1)
    page.keyboard.press("a")
    page.wait_for_selector("#thoughts:has-text('A trained network, without looking ahead')")


# ------------------------------------------------------------------------------------------- links, pages, restarts


def test_a_link_opens_the_same_game_in_a_second_browser(visit, browser, server):
    visit.open()
    begin(visit, "go", ["person", "person"], size=5)
    for node, move in enumerate(["C3", "D4", "pass"]):
        visit.page.evaluate("fields => window.ludus.ask('play', fields)", {"node": node, "move": move})
    visit.told(lambda told: len(told["line"]) == 3)
    expect(visit.page).to_have_url(re.compile("/#go,size=5/C3[.]D4[.]pass$"))
    link = visit.page.url
    other = Visit(browser, server.address)
    other.page.goto(link)
    told = other.told(lambda told: len(told["line"]) == 3)
    assert told["position"] == visit.told()["position"] and told["table"] != visit.told()["table"]
    other.close()


def test_a_bad_link_says_what_is_wrong(visit):
    page = visit.open("/#hex,size=5/c3.c3.d4").page
    page.wait_for_selector(".refusal.shown:has-text('Move 2 of the link')")
    visit.told(lambda told: len(told["line"]) == 1)
    page.goto("about:blank")
    visit.open("/#hxe")
    page.wait_for_selector(".refusal.shown:has-text('did you mean hex')")


def test_a_reload_goes_on_where_it_was(visit):
    visit.open()
    table = begin(visit, "hex", size=5)["table"]
    visit.page.click("[data-cell='12']", force=True)
    before = visit.told(lambda told: len(told["line"]) == 2)
    visit.page.reload()
    after = visit.told(lambda told: len(told["line"]) == 2)
    assert after["table"] == table and after["line"] == before["line"] and after["seats"] == before["seats"]


def test_the_way_back_from_the_review_leads_to_the_same_game(visit):
    visit.open()
    told = begin(visit, "tic_tac_toe")
    click_move(visit, told, 4)
    visit.told(lambda told: len(told["line"]) == 2)
    visit.page.keyboard.press("[")
    table = visit.told(lambda told: told["link"].endswith("@1"))["table"]
    visit.page.goto(visit.address + "/review")
    visit.told()
    visit.page.go_back()
    assert visit.told()["table"] == table


def test_a_killed_server_that_is_started_again_goes_on(browser, tmp_path):
    server = Server(tmp_path)
    visit = Visit(browser, server.address).open()
    begin(visit, "hex", size=5)
    visit.page.click("[data-cell='12']", force=True)
    before = visit.told(lambda told: len(told["line"]) == 2)
    server.kill()
    visit.page.wait_for_selector("#connection:not([hidden])")
    free = int(next(action for action in before["position"]["names"]))
    click_move(visit, before, free)  # while nobody listens: it is sent when the connection is back
    server.start()
    visit.page.wait_for_selector("#connection", state="hidden")
    after = visit.told(lambda told: len(told["line"]) >= 4)
    assert after["table"] == before["table"] and after["line"][:2] == before["line"][:2]
    visit.expect_errors("WebSocket", "net::ERR_")  # the browser reports connections that were lost or refused
    visit.close()
    server.close()


def test_two_pages_at_one_table_and_two_at_others(visit, browser, server):
    visit.open()
    table = begin(visit, "hex", ["person", "person"], size=5)["table"]
    other = Visit(browser, server.address).open()
    other.told()
    other.page.evaluate("table => window.ludus.ask('open', {table})", table)
    other.told(lambda told: told["table"] == table)
    visit.page.click("[data-cell='12']", force=True)
    other.told(lambda told: len(told["line"]) == 1)
    other.page.click("[data-cell='0']", force=True)
    visit.told(lambda told: [move["name"] for move in told["line"]] == ["c3", "a1"])
    third = Visit(browser, server.address).open()
    assert third.told()["table"] != table
    third.close()
    other.close()


def test_games_are_kept_listed_saved_and_loaded(visit, tmp_path):
    page = visit.open("/#hex,size=5/c3.b4.d2").page
    visit.told(lambda told: len(told["line"]) == 3)
    with page.expect_download() as saving:
        page.click("text=Save SGF")
    saving.value.save_as(tmp_path / "game.sgf")
    begin(visit, "nim")
    page.set_input_files("#more input[type=file]", tmp_path / "game.sgf")
    visit.told(lambda told: told["link"] == "hex,size=5/c3.b4.d2")
    page.click("text=Kept games")
    page.wait_for_selector(".kept button >> nth=1")


# ------------------------------------------------------------------------------------------- screens


def test_a_kept_game_that_is_opened_is_the_one_that_is_saved(visit):
    visit.open()
    first = begin(visit, "nim")
    visit.page.evaluate("window.ludus.ask('play', { node: 0, move: 0 })")
    visit.told(lambda told: told["line"])
    begin(visit, "hex")
    visit.page.click("text=Kept games")
    visit.page.click(".kept button >> nth=0")
    visit.told(lambda told: told["table"] == first["table"] and len(told["line"]) == 2)
    visit.page.keyboard.press("[")
    visit.told(lambda told: told["node"] == 1)
    saves = visit.page.locator("#more a")
    expect(saves).to_have_count(1)
    expect(saves).to_have_attribute("href", f"/api/tables/{first['table']}.json?node=1")


def test_a_browser_that_keeps_nothing_can_play(visit):
    visit.page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    visit.open()
    told = begin(visit, "tic_tac_toe")
    click_move(visit, told, 4)
    assert len(visit.told(lambda told: len(told["line"]) == 2)["line"]) == 2


def test_a_phone_shows_the_board_in_full_width_and_the_panel_slides_up(browser, server):
    visit = Visit(browser, server.address, **PHONE).open()
    told = visit.told()
    settled(visit.page)
    box = visit.page.locator(".board-picture").bounding_box()
    assert box["width"] > 350 and visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.page.tap("[data-cell='24']", force=True)
    visit.told(lambda now: len(now["line"]) == 2)
    assert visit.page.locator("#side").bounding_box()["y"] >= 800 or not visit.page.is_visible("#thinking")
    visit.page.tap("#sheet")
    visit.page.wait_for_selector("#thinking", state="visible")
    assert told["game"]["name"] == "hex"
    visit.close()


@pytest.mark.parametrize(("width", "height"), [(320, 568), (844, 390), (640, 400)])
def test_a_small_screen_gives_the_board_its_room_and_does_not_scroll_sideways(browser, server, width, height):
    visit = Visit(browser, server.address, viewport={"width": width, "height": height}).open()
    visit.told()
    begin(visit, "othello", clock="300+5")
    settled(visit.page)
    board = visit.page.locator(".board-frame").bounding_box()
    assert min(board["width"] / width, board["height"] / height) > 0.4
    assert max(board["width"] / width, board["height"] / height) > 0.8
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.close()


def test_a_single_disc_is_counted_as_one(visit):
    page = visit.open("/#othello/d3").page
    expect(page.locator(".seat .what").filter(has_text="4 discs")).to_be_visible()
    expect(page.locator(".seat .what").filter(has_text=re.compile(r"\b1 disc$"))).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser, server, faults_of, scheme):
    visit = Visit(browser, server.address, color_scheme=scheme).open("/#hex,size=5/c3.b4")
    visit.told()
    visit.page.keyboard.press("a")
    visit.page.wait_for_selector(".meter .ends")
    assert faults_of(visit.page) == []
    visit.page.keyboard.press("n")
    visit.page.wait_for_selector("dialog .about.small:not(:empty)")
    assert faults_of(visit.page) == []
    visit.close()
