// Keeps the standings page up to date: fetches it again every two seconds and takes over what has changed. The server
// sends the page only if it is another one. Everything that is shown was escaped by the server.

const EVERY = 2000; // milliseconds
const SLOWEST = 15000; // while the server cannot be reached
const LIT = 1500; // that a row with a new score is lit
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let tag = null; // of the page that is shown
let wait = EVERY;
let timer = 0;

/** Fetches the page, and again after a while. A page that nobody looks at is not fetched. */
async function watch() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    const answer = await fetch("/", { cache: "no-cache", signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(String(answer.status));
    const seen = answer.headers.get("etag");
    if (seen === null || seen !== tag) takeOver(new DOMParser().parseFromString(await answer.text(), "text/html"));
    tag = seen;
    wait = EVERY;
    say("");
  } catch {
    wait = Math.min(SLOWEST, wait * 1.5);
    say("Reconnecting…");
  }
  clearTimeout(timer);
  timer = setTimeout(watch, wait);
}

/** Says how the connection is; nothing, if it is well. @param {string} words */
function say(words) {
  const place = document.getElementById("connection");
  place.textContent = words;
  place.hidden = !words;
}

/** Shows what has changed. @param {Document} page */
function takeOver(page) {
  for (const fresh of page.querySelectorAll("[data-live]")) {
    const old = document.getElementById(fresh.id);
    if (!old || old.innerHTML === fresh.innerHTML) continue;
    if (old.tagName === "TBODY") moveRows(old, fresh);
    else old.replaceChildren(...fresh.childNodes);
  }
  const news = page.getElementById("news").textContent;
  const shown = document.getElementById("news");
  if (shown.textContent !== news) shown.textContent = news; // it is read out, so only if it is news
  for (const table of page.querySelectorAll("table")) document.getElementById(table.id).hidden = table.hidden;
}

/** Takes over the rows of a table; those that change places move there. */
function moveRows(old, fresh) {
  const before = new Map(rowsOf(old).map((row) => [row.dataset.player, row]));
  const tops = new Map([...before].map(([player, row]) => [player, row.offsetTop]));
  const scores = new Map([...before].map(([player, row]) => [player, scoreOf(row)]));
  old.replaceChildren(...fresh.childNodes);
  for (const row of rowsOf(old)) {
    const player = row.dataset.player;
    if (scores.get(player) !== scoreOf(row)) light(row);
    const moved = tops.has(player) ? tops.get(player) - row.offsetTop : 0;
    if (moved && !calm.matches) row.animate([{ transform: `translateY(${moved}px)` }, {}], { duration: 250, easing: "ease-out" });
  }
}

const rowsOf = (body) => [...body.querySelectorAll("tr[data-player]")];
const scoreOf = (row) => row.querySelector(".percent")?.textContent;

function light(row) {
  row.classList.add("changed");
  setTimeout(() => row.classList.remove("changed"), LIT);
}

// ------------------------------------------------------------------------------------------- light and dark

const THEMES = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

/** A button for a projector whose laptop is set otherwise. The browser remembers the choice if it may. */
function bindTheme() {
  const button = document.getElementById("theme");
  const order = Object.keys(THEMES);
  let theme = "auto";
  try { theme = localStorage.getItem("ludus.standings.theme") ?? "auto"; } catch { /* a browser that keeps nothing */ }
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = THEMES[theme][0];
    button.setAttribute("aria-label", `Colours: ${THEMES[theme][1]}`);
    button.title = button.getAttribute("aria-label");
  };
  if (!THEMES[theme]) theme = "auto";
  button.addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try { localStorage.setItem("ludus.standings.theme", theme); } catch { /* a browser that keeps nothing */ }
    show();
  });
  button.hidden = false;
  show();
}

bindTheme();
document.addEventListener("visibilitychange", watch);
timer = setTimeout(watch, EVERY);
