import { describe, expect, it } from "vitest";
import { readEach } from "../../src/chat/read-each.ts";

/** Places read one after the other, of which some fail. */

async function reading(places: readonly string[], fails: (place: string, time: number) => unknown) {
  const read: string[] = [];
  const left: string[] = [];
  const times = new Map<string, number>();
  const done = readEach(places, {
    async read(place) {
      const time = (times.get(place) ?? 0) + 1;
      times.set(place, time);
      const error = fails(place, time);
      if (error !== null) throw error;
      read.push(place);
    },
    isOfPlace: (error) => error === "here",
    onLeft: (place) => left.push(place),
    stopping: new AbortController().signal,
    pausesMs: [0, 0],
  });
  const end = await done.then(
    () => "read",
    (error: unknown) => error,
  );
  return { read, left, end };
}

describe("places that are read one after the other", () => {
  it("one that fails is tried again after the others", async () => {
    expect(await reading(["a", "b", "c"], (place, time) => (place === "a" && time < 3 ? "here" : null))).toEqual({
      read: ["b", "c", "a"],
      left: [],
      end: "read",
    });
  });

  it("one that always fails is left, and keeps nothing from the others", async () => {
    expect(await reading(["a", "b"], (place) => (place === "a" ? "here" : null))).toEqual({
      read: ["b"],
      left: ["a"],
      end: "read",
    });
  });

  it("where none can be read, or the failure is of no place, it is thrown", async () => {
    expect(await reading(["a"], () => "here")).toEqual({ read: [], left: [], end: "here" });
    expect(await reading(["a", "b"], (place) => (place === "b" ? "everywhere" : null))).toEqual({
      read: ["a"],
      left: [],
      end: "everywhere",
    });
  });
});
