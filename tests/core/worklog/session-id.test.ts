import { describe, expect, it } from "vitest";
import { type IdCounter, isSessionId, nextSessionId } from "../../../src/core/worklog/session-id.ts";

const at = new Date("2026-01-26T14:32:15.250Z");

function many(number: number, now: Date, from: IdCounter | null = null) {
  const ids: string[] = [];
  let counter = from;
  for (let made = 0; made < number; made += 1) {
    const next = nextSessionId(counter, now);
    if (next.type === "wait") return { ids, counter, wait: next };
    ids.push(next.id);
    counter = next.counter;
  }
  return { ids, counter, wait: null };
}

describe("ids of worklogs", () => {
  it("[S0-ID-01] [S0-ID-02] are a UTC time and a number, made of nothing else", () => {
    const [id = ""] = many(1, at).ids;

    expect(id).toBe("20260126_143215_001");
    expect(id).toHaveLength(19);
    expect(isSessionId(id)).toBe(true);
    expect(isSessionId("20260126_143215")).toBe(false);
  });

  it("[S0-ID-03] count within a second", () => {
    expect(many(2, at).ids).toEqual(["20260126_143215_001", "20260126_143215_002"]);
  });

  it("[S0-ID-04] wait for the next second when 999 are taken, and begin at 001 there", () => {
    const { ids, counter, wait } = many(1000, at);

    expect(ids.at(-1)).toBe("20260126_143215_999");
    expect(wait).toEqual({ type: "wait", ms: 750 });
    expect(many(1, new Date(at.getTime() + 750), counter).ids).toEqual(["20260126_143216_001"]);
  });

  it("[S0-ID-05] begin again in every second", () => {
    const { counter } = many(7, at);

    expect(many(1, new Date(at.getTime() + 1000), counter).ids).toEqual(["20260126_143216_001"]);
  });

  it("[S0-ID-06] never come twice, also when the clock goes back", () => {
    const first = many(500, at);
    const second = many(400, new Date(at.getTime() - 60_000), first.counter);

    expect(new Set([...first.ids, ...second.ids]).size).toBe(900);
    expect(second.ids[0]).toBe("20260126_143215_501");
  });

  it("wait for no clock that went back: it may be days until it is there again", () => {
    const tomorrow = many(999, new Date(at.getTime() + 86_400_000));
    const today = many(1500, at, tomorrow.counter);

    expect(today.wait).toBeNull();
    expect(today.ids[0]).toBe("20260127_143216_001");
    expect(today.ids.at(-1)).toBe("20260127_143217_501");
    expect(new Set([...tomorrow.ids, ...today.ids]).size).toBe(2499);
  });
});
