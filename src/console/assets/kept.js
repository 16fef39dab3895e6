// What a person has begun to write, and where they are, outlives a card or a page that is drawn anew. Kept in this tab only.

/** What is typed and sent; what only narrows a page stands in its address. */
function typedFields() {
  return [...document.querySelectorAll("form[method=post] textarea, form[method=post] input[name=budget]")];
}

/** A field by its own id, or by that of what it opens in. */
function nameOf(field) {
  return field.id || `${field.closest("details")?.id ?? ""} ${field.name}`;
}

/** What an element is, for finding it when its card is drawn anew. A button is the same only while it answers the same version. */
function placeOf(element) {
  const card = element.closest("article.card");
  return JSON.stringify([
    card?.id ?? "",
    element === card,
    element.localName,
    element.name ?? "",
    element.form?.querySelector("input[name=call]")?.value ?? element.getAttribute("aria-label") ?? element.textContent,
  ]);
}

/** The element below `root`, or `root` itself, that is at a place; null: nothing is any more. */
function foundAt(root, place) {
  const all = [root, ...root.querySelectorAll(JSON.parse(place)[2])];
  return all.find((each) => each.nodeType === Node.ELEMENT_NODE && placeOf(each) === place) ?? null;
}

/** Without scrolling: who reads elsewhere stays there. A card takes the focus for what it has no more. */
function focusOn(element) {
  if (element.matches("article")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Puts the newer drawing of a card in place: what is open stays open, and the focus where it was. */
export function replaceCard(old, next) {
  const at = old.contains(document.activeElement) ? placeOf(document.activeElement) : null;
  for (const { id } of old.querySelectorAll("details[open][id]"))
    next.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  old.replaceWith(next);
  if (at !== null) focusOn(foundAt(next, at) ?? next);
}

const keptHere = `cos-typed ${location.pathname}`;
let sentForm = null;

function keepTyped() {
  const fields = {};
  for (const field of typedFields())
    if (field.value !== field.defaultValue)
      fields[nameOf(field)] = { value: field.value, isSent: sentForm?.contains(field) === true };
  const active = document.activeElement;
  const at = active === null || active === document.body ? null : placeOf(active);
  try {
    sessionStorage.setItem(keptHere, JSON.stringify({ fields, at }));
  } catch {
    // Nothing may be kept here: what is typed ends with the page.
  }
}

function takeKept() {
  try {
    const kept = sessionStorage.getItem(keptHere);
    sessionStorage.removeItem(keptHere);
    return kept === null ? null : JSON.parse(kept);
  } catch {
    return null;
  }
}

/** What was sent comes back only where it was refused. */
function bringBack() {
  const kept = takeKept();
  const wasRefused = document.querySelector(".flash.bad") !== null;
  for (const field of typedFields()) {
    const was = kept?.fields[nameOf(field)];
    if (was === undefined || field.value !== field.defaultValue || (was.isSent && !wasRefused)) continue;
    field.value = was.value;
    field.closest("details")?.setAttribute("open", "");
  }
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const at = isReload && kept?.at ? foundAt(document.body, kept.at) : answered(isReload);
  if (at?.matches("article, article *, form *, a, .flash") === true) focusOn(at);
}

/** What was answered, to which the address leads; where the page has it no more, what was said. Null: nothing was. */
function answered(isReload) {
  if (!new URLSearchParams(location.search).has("said")) return null;
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const said = document.getElementById("said");
  if (card === null && !isReload) said?.scrollIntoView();
  return card ?? said;
}

addEventListener("submit", (event) => {
  sentForm = event.target;
});
addEventListener("pagehide", keepTyped);
bringBack();
