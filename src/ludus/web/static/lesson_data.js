// What both lessons share: asking the server, positions that arrive as changes, letters for the players.

/** A lesson, or an Error with the server's sentence. @param {string} kind @param {Record<string, any>} request */
export async function fetchLesson(kind, request) {
  let answer;
  try {
    answer = await fetch(`/api/lessons/${kind}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
  } catch {
    throw new Error("the server does not answer; is it still running?");
  }
  const told = await answer.json().catch(() => ({ error: "the server sent something that is no lesson" }));
  if (!answer.ok || told.error) throw new Error(told.error ?? "the server refused the lesson");
  return told;
}

/** The position after a change: what is gone, what is new, and whatever else is different.
 * @param {Record<string, any>} before @param {Record<string, any>} change */
export function applyChange(before, change) {
  const { gone = [], new: come = [], ...others } = change;
  const pieces = before.pieces.filter((piece) => !gone.includes(piece[0])).concat(come);
  return { ...before, ...others, pieces };
}

/** A letter or two for each player, because colour alone is not enough. @param {string[]} players */
export function lettersOf(players) {
  return players.map((name) => ({ "the first player": "1st", "the second player": "2nd" })[name] ?? name[0]);
}
