// What the keyboard does on every page; each of it can be done without.

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

/** Whether single keys do something: kept in this browser, for who speaks to it or presses keys by accident (WCAG 2.1.4). */
const place = "cos-keys";

function areOn() {
  try {
    return localStorage.getItem(place) !== "off";
  } catch {
    // Nothing may be kept here: they are as they come.
    return true;
  }
}

function switchKeys(on) {
  try {
    if (on) localStorage.removeItem(place);
    else localStorage.setItem(place, "off");
  } catch {
    // The same.
  }
}

/** What can be walked over on this page, in its order. */
function stops() {
  return [...document.querySelectorAll("article.card, .goals > li > a")].filter(
    (each) => each.closest(".flash") === null,
  );
}

/** The card or line that the focus is at or in; null when it is elsewhere. */
function current() {
  return document.activeElement?.closest("article.card, .goals > li > a") ?? null;
}

function walk(step) {
  const all = stops();
  const at = current();
  // From nowhere: to the first that is not above what is seen.
  const seen = all.findIndex((each) => each.getBoundingClientRect().bottom > 60);
  const next = at === null ? all[Math.max(0, seen)] : all[all.indexOf(at) + step];
  if (next === undefined) return;
  if (next.matches("article")) next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** Presses the button of a choice in the card that the focus is at; a form that asks for words is opened. */
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
    // A wide page shows all of some cards, and nothing behind.
    if (details?.checkVisibility() === true) details.open = !details.open;
  },
  "/": () => document.querySelector("#search, .composer textarea")?.focus(),
  "?": help,
};

// At what opens a form somebody may type before they are in its field.
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

// No single letter: it closes also where those are off. What was typed stays in its fields.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  const open = event.target.closest("dialog") === null ? event.target.closest("details[open]") : null;
  if (open === null) return;
  event.preventDefault();
  open.open = false;
  open.querySelector("summary")?.focus();
});

/** The same list for who presses no key, and where they are switched on again. */
const opener = document.createElement("button");
opener.type = "button";
opener.className = "keys";
opener.textContent = "Keys";
opener.addEventListener("click", help);
document.querySelector(".top .name")?.after(opener);
