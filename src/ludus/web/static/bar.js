// The bar at the top of every page: the four places, the game's name, light or dark. Nothing else is global.

const PLACES = [["/", "Play"], ["/review", "Review"], ["/learn", "Learn"], ["/lessons", "Lessons"]];
const THEMES = { auto: "◐", light: "☀", dark: "☾" };
const NEXT = { auto: "light", light: "dark", dark: "auto" };

/** What the visitor has chosen before; a browser that keeps nothing gives the usual value. */
export function remembered(key, usual) {
  try {
    return JSON.parse(localStorage.getItem(`ludus.${key}`)) ?? usual;
  } catch {
    return usual;
  }
}

/** Keeps a choice of the visitor in this browser. */
export function remember(key, value) {
  try {
    localStorage.setItem(`ludus.${key}`, JSON.stringify(value));
  } catch { /* a browser that keeps nothing */ }
}

/** What this tab keeps over a reload; null where it keeps nothing. @param {string} key */
export function keptInTab(key) {
  try {
    return sessionStorage.getItem(`ludus.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a text in this tab. @param {string} key @param {string} text */
export function keepInTab(key, text) {
  try {
    sessionStorage.setItem(`ludus.${key}`, text);
  } catch { /* a browser that keeps nothing */ }
}

/** A new element with attributes (functions become listeners) and children.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node|string)} children */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

function applyTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function themeButton() {
  const button = element("button", { class: "quiet theme" });
  const show = (theme) => {
    applyTheme(theme);
    button.textContent = THEMES[theme];
    button.setAttribute("aria-label", `Colours: ${theme === "auto" ? "as the system" : theme}`);
    button.title = button.getAttribute("aria-label");
  };
  let theme = remembered("theme", "auto");
  button.addEventListener("click", () => {
    theme = NEXT[theme] ?? "auto";
    remember("theme", theme);
    show(theme);
  });
  show(THEMES[theme] ? theme : "auto");
  return button;
}

/** The link over the bar moves the focus and leaves the address alone, which may hold a game. */
function bindSkip() {
  const skip = document.querySelector("a.skip");
  skip?.addEventListener("click", (event) => {
    event.preventDefault();
    const place = document.querySelector(skip.getAttribute("href"));
    (place?.querySelector("[tabindex='0']:not([hidden])") ?? place)?.focus();
  });
}

/** Puts the bar into the page's <header class="bar">. Returns a function that sets the game's name. */
export function makeBar() {
  const bar = document.querySelector("header.bar");
  const here = location.pathname;
  const links = PLACES.map(([path, name]) =>
    element("a", { href: path, "aria-current": path === here ? "page" : null }, name));
  const game = element("span", { class: "game" });
  bar.append(element("a", { class: "name", href: "/" }, "Ludus"), element("nav", { "aria-label": "Places" }, ...links), game, themeButton());
  bindSkip();
  return (name) => { game.textContent = name; };
}

applyTheme(remembered("theme", "auto"));
