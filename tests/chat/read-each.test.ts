import { describe, expect, it } from "vitest";
import { openCatchUp } from "../../src/chat/catch-up.ts";
import { type ReadRest, readEach } from "../../src/chat/read-each.ts";

/** Places read one after the other, of which some fail; and how what failed is come back to. */

const letters = "abcdefghijklmn".split("");

interface Reading {
  /** What a place fails with, at its nth time; null: it is read. */
  readonly fails: (place: string, time: number) => unknown;
  readonly rounds?: number;
  readonly stopAt?: string;
}

/** Reads so many rounds; each as it was tried. */
async function reading(places: readonly string[], { fails, rounds = 3, stopAt }: Reading) {
  const stopping = new AbortController();
  const tried: string[][] = [];
  const told: string[] = [];
  const times = new Map<string, number>();
  const given = places.map((name) => ({
    name,
    async read() {
      tried.at(-1)?.push(name);
      if (name === stopAt) stopping.abort();
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const error = fails(name, time);
      if (error !== null) throw error;
    },
  }));
  const how = {
    isOfPlace: (error: unknown) => error === "here",
    onFailing: (name: string) => told.push(name),
    stopping: stopping.signal,
  };
  let rest: ReadRest | null = () => readEach(given, how);
  while (rest !== null && tried.length < rounds) {
    tried.push([]);
    rest = await rest();
  }
  return { rounds: tried.map((each) => each.join("")), isDone: rest === null, told };
}

describe("places that are read one after the other", () => {
  it("one that fails is tried again after the others, and alone", async () => {
    expect(
      await reading(["a", "b", "c"], { fails: (place, time) => (place === "a" && time < 3 ? "here" : null) }),
    ).toEqual({ rounds: ["abc", "a", "a"], isDone: true, told: [] });
  });

  it("one that always fails is told once, and tried on", async () => {
    expect(await reading(["a", "b"], { fails: (place) => (place === "a" ? "here" : null), rounds: 9 })).toEqual({
      rounds: ["ab", "a", "a", "a", "a", "a", "a", "a", "a"],
      isDone: false,
      told: ["a"],
    });
  });

  it("several that all fail are tried on, too, whatever their number", async () => {
    expect(await reading(["a", "b"], { fails: () => "here", rounds: 2 })).toEqual({
      rounds: ["ab", "ab"],
      isDone: false,
      told: [],
    });
  });

  it("behind ten in a row that fail, the others come first in the next round", async () => {
    const isBad = (place: string): boolean => place <= "j";

    expect(await reading(letters, { fails: (place) => (isBad(place) ? "here" : null) })).toEqual({
      rounds: ["abcdefghij", "klmnabcdefghij", "abcdefghij"],
      isDone: false,
      told: [],
    });
    expect((await reading(letters, { fails: (_, time) => (time < 2 ? "here" : null) })).rounds).toEqual([
      "abcdefghij",
      "klmnabcdefghij",
      "klmn",
    ]);
  });

  it("nothing more is read once it is stopping", async () => {
    expect(await reading(["a", "b"], { fails: () => "here", stopAt: "a" })).toEqual({
      rounds: ["a"],
      isDone: true,
      told: [],
    });
  });

  it("a failure of no place is thrown at once", async () => {
    const done = reading(["a", "b", "c"], { fails: (place) => (place === "b" ? "everywhere" : null) });

    await expect(done).rejects.toBe("everywhere");
  });
});

describe("what a catch-up has left", () => {
  /** What was read: all, or the rest; `ends`: when the rest is read. */
  async function catchingUp(script: (catchUp: () => void, tried: readonly string[]) => ReadRest | null | Error) {
    const tried: string[] = [];
    const stopping = new AbortController();
    const logged: string[] = [];
    await new Promise<void>((resolve) => {
      const next = async (what: string): Promise<ReadRest | null> => {
        tried.push(what);
        const became = script(catchUp, tried);
        if (became instanceof Error) throw became;
        if (became === null) resolve();
        return became === null ? null : () => next("rest");
      };
      const catchUp = openCatchUp({
        fetch: () => next("all"),
        word: String,
        isHopeless: () => false,
        name: "chat",
        log: (_, event) => logged.push(event),
        stopping: stopping.signal,
        pausesMs: [0],
      });
      catchUp();
    });
    stopping.abort();
    return { tried, logged };
  }

  const more: ReadRest = async () => null;

  it("is read until there is none", async () => {
    expect(await catchingUp((_, tried) => (tried.length < 20 ? more : null))).toEqual({
      tried: ["all", ...Array.from({ length: 19 }, () => "rest")],
      logged: [],
    });
  });

  it("is read again by itself where the platform failed as a whole meanwhile", async () => {
    const { tried, logged } = await catchingUp((_, { length }) => {
      return length === 4 ? null : length === 3 ? new Error("unreachable") : more;
    });

    expect(tried).toEqual(["all", "rest", "rest", "rest"]);
    expect(logged).toEqual(["chat.catch-up-put-off"]);
  });

  it("is read with all others where a catch-up is asked for meanwhile", async () => {
    const { tried } = await catchingUp((catchUp, { length }) => {
      if (length === 2) catchUp();
      return length === 3 ? null : more;
    });

    expect(tried).toEqual(["all", "rest", "all"]);
  });
});
