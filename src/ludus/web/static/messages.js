// The types of all messages, written by `python -m ludus.web.codec`. Not edited by hand.

/** @typedef {{ name: string, title: string, options: Record<string, any>, players: Array<string>, colors: Array<string>, aim: string, unit: string | null, files: Array<string> }} AboutGame */
/** @typedef {{ key: string, name: string, agent: string | null }} Seat */
/** @typedef {{ node: number, player: number, name: string, share: number | null, others: Array<Array<any>> }} LineMove */
/** @typedef {{ text: string, left: Array<number>, running: number | null }} ClockFace */
/** @typedef {{ sentence: string, over: boolean, winner: number | null, person: number | null, thinking: boolean, running: boolean, can_undo: boolean, can_resign: boolean }} Status */
/** Go on with a kept game, looking at the position after some of its moves; without `selected` after all. @typedef {{ ask: "open", table: string, selected: number | null }} OpenAsk */
/** Open the game that an address holds. @typedef {{ ask: "follow", link: string, visitor: string }} FollowAsk */
/** Begin a game. A seat is "person" or the key of an opponent. @typedef {{ ask: "new", game: string, options: Record<string, any>, seats: Array<string>, clock: string | null, visitor: string }} NewAsk */
/** Show the position after a node of the tree of moves. @typedef {{ ask: "look", node: number }} LookAsk */
/** Make a move where the page looks. The move is an action's number, or a text that a person typed. @typedef {{ ask: "play", node: number, move: number | string }} PlayAsk */
/** Take back: to where the person who asks was to move before. @typedef {{ ask: "undo" }} UndoAsk */
/** The person who is to move, or who plays the machine, gives up. @typedef {{ ask: "resign" }} ResignAsk */
/** Somebody else takes the seats: people or opponents. @typedef {{ ask: "sit", seats: Array<string> }} SitAsk */
/** Let the machines play, or stop them; `pause` is the least number of seconds between their moves. @typedef {{ ask: "run", on: boolean, pause: number }} RunAsk */
/** One move of the machine that is to move, then stop. @typedef {{ ask: "step" }} StepAsk */
/** Show what a search thinks of the position on the page, or stop. @typedef {{ ask: "think", on: boolean }} ThinkAsk */
/** Open the search's tree below some actions. @typedef {{ ask: "ask", path: Array<number> }} AskAsk */
/** What would you play here? @typedef {{ ask: "hint" }} HintAsk */
/** Judge every move of the line on the page, or stop. @typedef {{ ask: "review", on: boolean }} ReviewAsk */
/** Everything a page needs to draw a game. It is told again whenever something has changed. @typedef {{ tell: "table", table: string, link: string, game: AboutGame, seats: Array<Seat>, clock: ClockFace | null, pause: number, line: Array<LineMove>, node: number, head: number, status: Status, position: Record<string, any>, layout: Record<string, any> | null }} TableTold */
/** What a search thinks so far. Shares, values and the line are for the player to move at the node. @typedef {{ tell: "thought", node: number, why: "move" | "analysis", visits: Record<string, number>, wins: Record<string, number>, proven: Record<string, number>, line: Array<Array<number>>, words: Array<string>, win: number | null, simulations: number, per_second: number, nodes: number, done: boolean, busy: boolean }} ThoughtTold */
/** The true score of every action as far as it is proven, for the player to move. @typedef {{ tell: "perfect", node: number, scores: Record<string, number>, value: number | null, done: boolean, sentence: string }} PerfectTold */
/** What a network thinks without any search: its policy, and its win share for player 0. @typedef {{ tell: "opinion", node: number, name: string, policy: Record<string, number>, win: number | null }} OpinionTold */
/** The search's tree below some actions: [action, name, share of visits, win share of the mover, visits] of each. @typedef {{ tell: "branch", node: number, path: Array<number>, player: number, children: Array<Array<any>> }} BranchTold */
/** A suggestion. @typedef {{ tell: "hint", node: number, action: number, sentence: string }} HintTold */
/** The review so far: one row for every move that has been judged, turning points, and a summary. @typedef {{ tell: "judged", rows: Array<Record<string, any>>, points: Array<Record<string, any>>, summary: string, progress: number, done: boolean }} JudgedTold */
/** Something could not be done, and what would be right. `action` is the move that was refused. @typedef {{ tell: "refused", sentence: string, action: number | null, link: string | null }} RefusedTold */
export {};
