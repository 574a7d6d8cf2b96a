// From any page to a new game on the play page: a table is begun here and opened there.

import { Connection, visitor } from "./connection.js";

/** Begins a game of a person, who moves first, against an opponent, and goes to the play page. A refusal is an error
 * with its sentence. @param {string} game @param {Record<string, any>} options @param {string} opponent its key */
export function playAgainst(game, options, opponent) {
  return new Promise((resolve, reject) => {
    const connection = new Connection({
      open: () => connection.ask("new", { game, options, seats: ["person", opponent], clock: null, visitor: visitor() }),
      lost: () => reject(new Error("The server does not answer. Is it still running?")),
    });
    connection.when("refused", (told) => reject(new Error(told.sentence)));
    connection.when("table", (told) => {
      sessionStorage.setItem("ludus.table", told.table);
      sessionStorage.setItem("ludus.link", told.link);
      location.assign(`/#${told.link}`);
      resolve(told);
    });
  });
}
