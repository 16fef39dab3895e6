// Keyboard shortcuts on every page; everything can be done without them.

const keys = [
  ["j", "the next card or line"],
  ["k", "the one before"],
  ["p", "Proceed with the question that you are at"],
  ["s", "Skip it"],
  ["m", "Modify it"],
  ["d", "its details"],
  ["Enter", "open the line that you are at"],
  ["Esc", "close the form or the details that you are in"],
  ["/", "to the search, or to the field for goals and commands"],
  ["?", "these keys"],
];

/** The key in localStorage that turns shortcuts off, for people who use speech input or press keys by accident (WCAG 2.1.4). */
const place = "cos-keys";

function areOn() {
  try {
    return localStorage.getItem(place) !== "off";
  } catch {
    // The browser allows no storage here, so the shortcuts are on.
    return true;
  }
}

function switchKeys(on) {
  try {
    if (on) localStorage.removeItem(place);
    else localStorage.setItem(place, "off");
  } catch {
    // The browser allows no storage here, so nothing changes.
  }
}

/** Returns the cards and lines of this page in order. */
function stops() {
  return [...document.querySelectorAll("article.card, .goals > li > a")].filter(
    (each) => each.closest(".flash") === null,
  );
}

/** Returns the card or line with the focus; null when the focus is elsewhere. */
function current() {
  return document.activeElement?.closest("article.card, .goals > li > a") ?? null;
}

function walk(step) {
  const all = stops();
  const at = current();
  // Without a focused card, starts at the first one that is not above the visible part.
  const seen = all.findIndex((each) => each.getBoundingClientRect().bottom > 60);
  const next = at === null ? all[Math.max(0, seen)] : all[all.indexOf(at) + step];
  if (next === undefined) return;
  if (next.matches("article")) next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** Presses the button of a choice in the focused card; a form that needs words is opened. */
function choose(choice) {
  const field = current()?.querySelector(`.actions input[name=choice][value="${choice}"]`);
  if (field === null || field === undefined) return;
  const form = field.closest("details.modify");
  if (form === null) field.form.querySelector("button").click();
  else {
    form.open = true;
    form.querySelector("textarea")?.focus();
  }
}

function help() {
  let dialog = document.getElementById("keys");
  if (dialog === null) {
    dialog = document.createElement("dialog");
    dialog.id = "keys";
    dialog.setAttribute("aria-label", "Keys");
    const heading = document.createElement("h2");
    heading.textContent = "Keys";
    const list = document.createElement("dl");
    for (const [key, words] of keys) {
      const row = document.createElement("div");
      const term = document.createElement("dt");
      const what = document.createElement("dd");
      const name = document.createElement("kbd");
      name.textContent = key;
      term.append(name);
      what.textContent = words;
      row.append(term, what);
      list.append(row);
    }
    const choice = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = areOn();
    box.addEventListener("change", () => switchKeys(box.checked));
    choice.append(box, " Keys do this");
    const form = document.createElement("form");
    form.method = "dialog";
    const close = document.createElement("button");
    close.textContent = "Close";
    form.append(close);
    dialog.append(heading, list, choice, form);
    document.body.append(dialog);
  }
  dialog.showModal();
}

const does = {
  j: () => walk(1),
  k: () => walk(-1),
  p: () => choose("proceed"),
  s: () => choose("skip"),
  m: () => choose("modify"),
  d: () => {
    const details = current()?.querySelector("details.rest");
    // On a wide page some cards are shown whole, with nothing behind Details.
    if (details?.checkVisibility() === true) details.open = !details.open;
  },
  "/": () => document.querySelector("#search, .composer textarea")?.focus(),
  "?": help,
};

// On an element that opens a form, somebody may start typing before its field has the focus.
const typing = "input, textarea, select, dialog, details:not(.rest) > summary";

document.addEventListener("keydown", (event) => {
  if (!areOn()) return;
  const isTyping = event.target.closest(typing) !== null;
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  const act = does[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

// Escape is no single letter, so it works also when the shortcuts are off. The typed text stays in the fields.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  const open = event.target.closest("dialog") === null ? event.target.closest("details[open]") : null;
  if (open === null) return;
  event.preventDefault();
  open.open = false;
  open.querySelector("summary")?.focus();
});

/** A button that shows the same list, for people who press no keys; shortcuts can be turned on again there. */
const opener = document.createElement("button");
opener.type = "button";
opener.className = "keys";
opener.textContent = "Keys";
opener.addEventListener("click", help);
document.querySelector(".top .name")?.after(opener);
