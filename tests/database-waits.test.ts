import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Trouble } from "../src/core/outages/trouble.ts";
import { whenBack, whenThere } from "../src/database-waits.ts";
import { DatabaseAway } from "../src/db/connection/failures.ts";

function refused(): Error {
  return new DatabaseAway(Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }));
}

function saying(state: string): Error {
  const error = new pg.DatabaseError(`state ${state}`, 0, "error");
  error.code = state;
  return new DatabaseAway(error);
}

/** Fails with each of these, then answers. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  const step = async () => {
    step.runs += 1;
    const next = left.shift();
    if (next !== undefined) throw next;
    return "done";
  };
  step.runs = 0;
  return step;
}

describe("a step of a start, once the database was met", () => {
  function waiting(...troubles: readonly (Trouble | null)[]) {
    const left = [...troubles];
    const said: string[] = [];
    const found = {
      said,
      probes: 0,
      probe: async () => {
        found.probes += 1;
        return left.shift() ?? null;
      },
      onProgress: (text: string) => void said.push(text),
      everyMs: 1,
    };
    return found;
  }

  it("[F-101] is done again when the database is back, and says once that it waits", async () => {
    const step = failing(refused(), saying("57P01"), saying("57P03"));
    const given = waiting({ type: "refused" }, { type: "starting", words: "" });

    expect(await whenBack(step, given)).toBe("done");
    expect([step.runs, given.probes]).toEqual([4, 5]);
    expect(given.said).toEqual(["The database went away. The start goes on when it is back."]);
  });

  it("[F-101] is done again, too, where its own error does not say that the database is away", async () => {
    const step = failing(new Error("the queue's connections were not made in time"));

    expect(await whenBack(step, waiting({ type: "silent" }))).toBe("done");
    expect(step.runs).toBe(2);
  });

  it.each([
    ["another reason while the database answers", new Error("a bug"), []],
    ["a user that is not let in any more", saying("28P01"), []],
    ["no connection that is left", saying("53300"), []],
    ["another reason while the user is not let in", new Error("a bug"), [{ type: "denied", words: "" } as const]],
  ])("ends with %s", async (_, error, troubles) => {
    const step = failing(error);

    await expect(whenBack(step, waiting(...troubles))).rejects.toBe(error);
    expect(step.runs).toBe(1);
  });
});

describe("a database that was not met yet", () => {
  it("is asked again while it may be there in a moment", async () => {
    const said: string[] = [];
    const step = failing(refused(), saying("57P03"));

    expect(await whenThere(step, (text) => void said.push(text))).toBe("done");
    expect(step.runs).toBe(3);
    expect(said[0]).toBe("The database does not answer (connect ECONNREFUSED 127.0.0.1:1); trying for 10 s.");
    // One that says itself that it starts is waited for longer.
    expect(said.map((text) => /trying for (\d+) s\.$/.exec(text)?.[1])).toEqual(["10", "60"]);
  });

  it.each([["28P01"], ["3D000"]])("is not waited for where it refuses us (%s)", async (state) => {
    const step = failing(saying(state));

    await expect(whenThere(step, () => undefined)).rejects.toThrow(`state ${state}`);
    expect(step.runs).toBe(1);
  });
});
