// Keeps what a person has typed, and the focus, when a card or page is drawn again. Kept in this tab only.

/** Returns the fields that are typed and posted; fields that only filter a page are in its address. */
function typedFields() {
  return [...document.querySelectorAll("form[method=post] textarea, form[method=post] input[name=budget]")];
}

/** Returns the name of a field: its id, or the id of the element in which it opens. */
function nameOf(field) {
  return field.id || `${field.closest("details")?.id ?? ""} ${field.name}`;
}

/** Returns a key that identifies an element when its card is drawn again. A button is the same only while it answers the same version. */
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

/** Returns the element below `root`, or `root` itself, with this key; null when there is none any more. */
function foundAt(root, place) {
  const all = [root, ...root.querySelectorAll(JSON.parse(place)[2])];
  return all.find((each) => each.nodeType === Node.ELEMENT_NODE && placeOf(each) === place) ?? null;
}

/**
 * Focuses an element without scrolling, because the person may be reading elsewhere. A card gets the focus if its focused element is
 * gone.
 */
function focusOn(element) {
  if (element.matches("article")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Replaces a card by its newer version: open parts stay open, and the focus stays where it was. */
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
    // The browser allows no storage here, so typed text is lost with the page.
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

/** Restores typed fields. A field that was sent is restored only if the form was refused. */
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

/** Returns the answered card, to which the address leads; if the page no longer has it, the flash. Null when nothing was answered. */
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
