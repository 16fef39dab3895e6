// A pressed element must stay in place until it is released: if it is redrawn or moves in between, no button is pressed, or the wrong
// one.

/** How long after the release a click may still follow; with a finger, it is delayed. */
const clickMs = 100;
/** Maximum length of a press, because some presses send no event at their end. */
const longestMs = 60_000;

let over = null;
let end;
let timer;

function endIn(ms) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    over = null;
    end();
  }, ms);
}

function begin() {
  over ??= new Promise((resolve) => {
    end = resolve;
  });
  endIn(longestMs);
}

function finish() {
  if (over !== null) endIn(clickMs);
}

/** Resolves when nothing is pressed by mouse, finger or space bar; at once when nothing is. */
export async function letGo() {
  await over;
}

addEventListener("pointerdown", begin, true);
addEventListener("keydown", ({ key }) => key === " " && begin(), true);
for (const type of ["pointerup", "pointercancel", "contextmenu", "keyup"]) addEventListener(type, finish, true);
// Only of the window: a press also causes a blur of the element that had the focus before.
addEventListener("blur", finish);
