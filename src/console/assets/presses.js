// What is pressed stays where it is until it is let go: a button that is drawn anew or moves in between is not pressed, or another one is.

/** After the end a click may still come, from a finger not at once. */
const clickMs = 100;
/** Of some presses nothing tells the end. */
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

/** Resolves once nothing is pressed, with the mouse, a finger or the space bar: at once where nothing is. */
export async function letGo() {
  await over;
}

addEventListener("pointerdown", begin, true);
addEventListener("keydown", ({ key }) => key === " " && begin(), true);
for (const type of ["pointerup", "pointercancel", "contextmenu", "keyup"]) addEventListener(type, finish, true);
// Of the window alone: whatever had the focus before a press loses it too.
addEventListener("blur", finish);
