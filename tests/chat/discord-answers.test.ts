import { REST, type RESTOptions } from "discord.js";
import { describe, expect, it } from "vitest";
import { answerFirst, sayInstead, sayMore } from "../../src/chat/discord/answers.ts";
import { drawLines } from "../../src/chat/discord/draw.ts";
import { restOptions } from "../../src/chat/discord/rest.ts";

/** What Discord or the network does with a call; the last one is done with all that follow. */
type End = "refused" | "cut" | "500" | "taken before" | "taken";

const asked = { id: "1", token: "t", application_id: "2" };
const answer = { drawn: drawLines([["first"]]), more: [drawLines([["second"]])], isPublic: false };

/** Answers through the real client, with nothing behind it but what is said here. */
function opened(...ends: readonly End[]) {
  const calls: string[] = [];
  const logged: string[] = [];
  const stopping = new AbortController();
  const makeRequest = async (url: string): Promise<Response> => {
    const end = ends[Math.min(calls.length, ends.length - 1)] ?? "taken";
    calls.push(url.includes("/interactions/") ? "first" : /(?:@|%40)original/.test(url) ? "instead" : "more");
    if (end === "refused" || end === "cut") {
      const code = end === "refused" ? "ECONNREFUSED" : "ECONNRESET";
      throw Object.assign(new Error(end), { code });
    }
    if (end === "500") return new Response("{}", { status: 500 });
    const headers = { "content-type": "application/json" };
    const taken = JSON.stringify({ code: 40060, message: "Interaction has already been acknowledged." });
    return end === "taken" ? new Response("{}", { headers }) : new Response(taken, { status: 400, headers });
  };
  // As for the client's own: its types know another fetch.
  const options = { ...restOptions({ apiUrl: null }, true), makeRequest: makeRequest as unknown as never };
  const rest = new REST(options satisfies Partial<RESTOptions>).setToken("token");
  const times = { notYetAfterMs: 2_000, keepTryingMs: 60_000 };
  const door = { rest, times, stopping: stopping.signal, log: (_: string, event: string) => logged.push(event) };
  return { calls, logged, stopping, door };
}

describe("an answer in Discord whose first try was lost", () => {
  it.each<readonly [End, string, boolean]>([
    ["refused", "another bot's, since ours cannot have arrived", false],
    ["cut", "ours", true],
    ["500", "ours", true],
  ])("(%s) and which somebody has given already is %s", async (lost, _whose, isOurs) => {
    const { calls, door } = opened(lost, "taken before", "taken");

    expect(await answerFirst(door, asked, answer)).toBe(isOurs);
    expect(calls).toEqual(["first", "first", ...(isOurs ? ["more"] : [])]);
  });

  it("is sent again until it is taken; what follows it only where it cannot have arrived", async () => {
    const first = opened("500", "cut", "taken");
    const follows = opened("refused", "taken");
    const mayBeThere = opened("500", "taken");
    const instead = opened("500", "taken");

    expect(await answerFirst(first.door, asked, answer)).toBe(true);
    await sayMore(follows.door, asked, { ...answer, more: [] });
    await sayMore(mayBeThere.door, asked, { ...answer, more: [] });
    await sayInstead(instead.door, asked, answer, false);

    expect(first.calls).toEqual(["first", "first", "first", "more"]);
    expect(follows.calls).toEqual(["more", "more"]);
    expect([mayBeThere.calls, mayBeThere.logged]).toEqual([["more"], ["discord.answer-failed"]]);
    expect(instead.calls).toEqual(["instead", "instead"]);
  });

  it("is not sent again once the bot stops", async () => {
    const { calls, logged, stopping, door } = opened("refused");
    stopping.abort();

    await sayMore(door, asked, answer);

    expect(calls).toEqual(["more", "more"]);
    expect(logged).toEqual(["discord.answer-failed", "discord.answer-failed"]);
  });
});
