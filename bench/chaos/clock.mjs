// Loaded before the product: its clock is off by the milliseconds that stand in a file (`--import clock.mjs?FILE`).
import { readFileSync } from "node:fs";

const file = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const Real = Date;
const everyMs = 500;
let offsetMs = 0;

function read() {
  try {
    offsetMs = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // Without the file the clock is right.
    offsetMs = 0;
  }
}

read();
setInterval(read, everyMs).unref();

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offsetMs);
    else super(...given);
  }

  static now() {
    return Real.now() + offsetMs;
  }
};
