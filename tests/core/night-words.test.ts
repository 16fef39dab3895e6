import { describe, expect, it } from "vitest";
import { type DoneNight, doneNightWords } from "../../src/core/cards/night-words.ts";

const worked: DoneNight = { stoppedBy: [], areAllStopped: false, stops: [], notBegun: 0 };

describe("why a night is over of which nothing can go on", () => {
  it.each<[Partial<DoneNight>, string]>([
    [{}, "Everything that needed nobody has been worked."],
    [{ stoppedBy: ["ana", "bo"], areAllStopped: true, notBegun: 2 }, "Stopped by ana, bo."],
    [{ stoppedBy: ["ana"], notBegun: 2 }, "Stopped in part by ana. 2 goals were not begun."],
    [{ stops: ["agent needs login: Log in first."] }, "It stopped itself: agent needs login: Log in first."],
    [
      { stops: ["3 goals in a row ended failed", "3 goals in a row ended failed"], notBegun: 1 },
      "It stopped itself: 3 goals in a row ended failed. 1 goal was not begun.",
    ],
    [
      { stoppedBy: ["ana"], stops: ["one", "another"], notBegun: 3 },
      "It stopped itself: one; another. Stopped in part by ana. 3 goals were not begun.",
    ],
  ])("%j", (facts, words) => {
    expect(doneNightWords({ ...worked, ...facts })).toBe(words);
  });
});
