// Small improvements; every page works without them.
import { replaceCard } from "./kept.js";
import { letGo } from "./presses.js";

/** Shows times in the reader's own time zone. */
function localTimes(root) {
  const now = new Date();
  for (const element of root.querySelectorAll("time[datetime]:not([data-date])")) {
    const at = new Date(element.dateTime);
    const isToday = at.toDateString() === now.toDateString();
    const time = {
      hour: "2-digit",
      minute: "2-digit",
      // As the terminal and the chats show it.
      hourCycle: "h23",
      ...(element.dataset.seconds === undefined ? {} : { second: "2-digit" }),
    };
    const how = isToday ? time : { day: "numeric", month: "short", ...time };
    element.textContent = at.toLocaleString(undefined, how);
    element.title = at.toLocaleString(undefined, { hourCycle: "h23" });
  }
}

/** True while a person is filling in a form of this card; an update then waits until they are done. */
function isBeingEdited(element) {
  if (element.querySelector("details[open]") === null) return false;
  return [...element.querySelectorAll("textarea, input[name=budget]")].some(
    (field) => field.value !== field.defaultValue || field === document.activeElement,
  );
}

/** Returns the last element under a card: its thread shows the oldest first, like the loaded page. */
function endOfThread(card) {
  let last = card;
  while (last.nextElementSibling?.matches(".reply, :not(.card)")) last = last.nextElementSibling;
  return last;
}

const held = new Map();

/** Replaces a card by a newer version, never by an older one. */
function show({ element: id, thread, html }) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const next = template.content.firstElementChild;
  if (next === null) return;
  localTimes(template.content);
  const old = document.getElementById(id);
  if (old !== null) {
    if (Number(old.dataset.changed) >= Number(next.dataset.changed)) return;
    if (isBeingEdited(old)) {
      held.set(id, { element: id, thread, html });
      let note = old.querySelector(".changed-note");
      if (note === null) {
        note = document.createElement("p");
        note.className = "changed-note error";
        note.setAttribute("role", "status");
        old.append(note);
      }
      note.textContent = "This card has changed since you began. Close the form to see it.";
      return;
    }
    replaceCard(old, next);
    return;
  }
  const list = document.getElementById("cards");
  if (list === null) return;
  const parent = thread === null ? null : document.getElementById(thread);
  const atEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 120;
  if (parent === null) list.append(next);
  else endOfThread(parent).after(next);
  if (atEnd && parent === null) next.scrollIntoView({ block: "nearest" });
}

/** Updates the number and list of open questions from the cards on the page. */
function renewWaiting() {
  const open = [...document.querySelectorAll("#cards .card.checkpoint.asking")];
  document.title = `${open.length > 0 ? `(${open.length}) ` : ""}${document.title.replace(/^\(\d+\) /, "")}`;
  const box = document.querySelector(".waiting");
  if (box === null) return;
  if (open.length === 0) box.remove();
  else
    box.querySelector("strong").textContent =
      `${open.length} question${open.length === 1 ? " waits" : "s wait"} for you`;
  for (const link of box.querySelectorAll("li a")) {
    const id = decodeURIComponent(link.hash.slice(1));
    if (!open.some((card) => card.id === id)) leaveGroup(link.closest("li"));
  }
}

/** Removes a question that is no longer open from its group. The buttons for all of them name the old number, so they are removed too. */
function leaveGroup(item) {
  const group = item.closest(".group");
  item.remove();
  if (group.querySelector("li") === null) group.remove();
  else group.querySelector(".for-all")?.remove();
}

let renewals = 0;

/** Loads the list of open questions again, keeping the ticked boxes, after a batch of answers was held, given or undone. */
async function fetchWaiting() {
  renewals += 1;
  const mine = renewals;
  const answer = await fetch("/").catch(() => null);
  const text = answer?.ok === true ? await answer.text().catch(() => null) : null;
  await letGo();
  const old = document.querySelector(".waiting");
  if (text === null || old === null || mine !== renewals || isLeaving) return;
  const next = new DOMParser().parseFromString(text, "text/html").querySelector(".waiting");
  if (next === null) return;
  const ticked = [...old.querySelectorAll("input:checked")].map(({ value }) => value);
  for (const box of next.querySelectorAll("input[type=checkbox]")) box.checked = ticked.includes(box.value);
  localTimes(next);
  replaceCard(old, next);
  renewWaiting();
}

/** True when this page shows the subject of a card, or its thread. */
function isShown({ element: id, thread }) {
  const names = [id, thread].filter((each) => each !== null).map((each) => CSS.escape(each));
  return names.some((name) => document.querySelector(`#${name}, [data-subject="${name}"]`) !== null);
}

/** True after a form was sent or a link was followed: the change that this causes must not reload the current page. */
let isLeaving = false;
addEventListener("beforeunload", () => {
  isLeaving = true;
});
addEventListener("pageshow", () => {
  isLeaving = false;
  // When the browser restores a page, its forms can be sent again.
  for (const form of document.forms) delete form.dataset.sent;
});

function listen() {
  const channel = document.querySelector("[data-since]");
  const watches = document.querySelector("[data-watches]") !== null;
  if (channel === null && !watches) return;
  const source = new EventSource(`/events?since=${channel?.dataset.since ?? Number.MAX_SAFE_INTEGER - 1}`);
  const live = document.getElementById("live");
  source.addEventListener("hello", () => {
    live.textContent = "live";
  });
  source.addEventListener("error", () => {
    live.textContent = "reconnecting…";
  });
  source.addEventListener("card", (event) => void take(JSON.parse(event.data)));
}

/** Shows an update: replaces the card, or reloads a page that shows no live cards. */
async function take(card) {
  await letGo();
  if (document.querySelector("[data-since]") !== null) {
    show(card);
    renewWaiting();
    if (card.element.startsWith("ba-")) await fetchWaiting();
  } else if (isShown(card) && !isBeingEdited(document.body) && !isLeaving) {
    location.reload();
  }
}

document.addEventListener(
  "toggle",
  (event) => {
    const card = event.target.closest?.(".card");
    if (card === null || card === undefined || event.target.open) return;
    const waiting = held.get(card.id);
    held.delete(card.id);
    if (waiting !== undefined) show(waiting);
  },
  true,
);

// One press is one answer: a second press is ignored until the next page.
document.addEventListener("submit", (event) => {
  isLeaving = true;
  for (const button of event.target.querySelectorAll("button")) button.setAttribute("aria-busy", "true");
  if (event.target.dataset.sent === "yes") event.preventDefault();
  event.target.dataset.sent = "yes";
});

// The composer covers the end of the page. The focused element is scrolled above it, however high it grows.
const bar = document.querySelector(".composer");
if (bar !== null)
  new ResizeObserver(() => document.documentElement.style.setProperty("--composer", `${bar.offsetHeight}px`)).observe(
    bar,
  );

const composer = document.querySelector(".composer textarea");
composer?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    composer.form.requestSubmit();
  }
});

localTimes(document);
renewWaiting();
listen();
