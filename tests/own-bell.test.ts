import { describe, expect, it } from "vitest";
import { openOwnBell } from "../src/own-bell.ts";

describe("the bell of a process that works itself", () => {
  it("is heard by its worker while that is free, else by the queue", () => {
    const bell = openOwnBell();
    let isFree = true;
    let looked = 0;
    const stop = bell.hear(() => {
      if (isFree) looked += 1;
      return isFree;
    });

    const heard = [bell.ring("run-goal", 0)];
    isFree = false;
    heard.push(bell.ring("run-goal", 0));
    isFree = true;
    stop();
    heard.push(bell.ring("run-goal", 0));

    expect({ heard, looked }).toEqual({ heard: [true, false, false], looked: 1 });
  });

  it.each([
    ["a retry that comes due", "retry-goal", 5_000],
    ["a goal for later", "run-goal", 1],
    ["another chore", "reflect", 0],
  ] as const)("leaves %s to the queue", (_, job, afterMs) => {
    const bell = openOwnBell();
    bell.hear(() => true);

    expect(bell.ring(job, afterMs)).toBe(false);
  });
});
