import { describe, expect, it } from "vitest";
import { forgeTrouble } from "../../../src/core/forges/trouble.ts";

const asker = { title: "GitHub", host: "github.com", setting: "COS_GITHUB_TOKEN" };
const now = new Date("2026-01-26T09:00:00Z");
const trouble = (status: number | null, headers: Record<string, string> = {}, message = "no") =>
  forgeTrouble({ status, headers, message }, asker, now);

describe("what an answer of a forge means [F-605]", () => {
  it.each([
    ["no answer", null, {}, "unreachable"],
    ["a server that is broken", 502, {}, "unreachable"],
    ["a token that was revoked", 401, {}, "login"],
    ["a token without the right", 403, {}, "forbidden"],
    ["a used-up limit, said as a missing right", 403, { "x-ratelimit-remaining": "0" }, "limited"],
    ["a second limit, said as a missing right", 403, { "retry-after": "60" }, "limited"],
    ["too many requests", 429, {}, "limited"],
    ["nothing there", 404, {}, "not-found"],
    ["a repository that was renamed", 301, {}, "not-found"],
    ["a rule", 422, {}, "refused"],
  ] as const)("%s", (_, status, headers, kind) => {
    expect(trouble(status, headers).kind).toBe(kind);
  });

  it.each([
    ["seconds", { "retry-after": "90" }, 90_000],
    ["a date", { "retry-after": "Mon, 26 Jan 2026 09:02:00 GMT" }, 120_000],
    ["the limit's next beginning", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1769418030" }, 30_000],
    ["a limit that is not used up", { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "1769418030" }, null],
    [
      "a moment, by a clock that is an hour ahead of ours",
      {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(1769418030 + 3600),
        date: "Mon, 26 Jan 2026 10:00:00 GMT",
      },
      30_000,
    ],
    [
      "a date, by a clock that is an hour behind ours",
      { "retry-after": "Mon, 26 Jan 2026 08:02:00 GMT", date: "Mon, 26 Jan 2026 08:00:00 GMT" },
      120_000,
    ],
    ["a moment, without a time of its own", { "retry-after": "Mon, 26 Jan 2026 09:02:00 GMT", date: "?" }, 120_000],
    ["a year, which is not waited for", { "retry-after": "31536000" }, 3_600_000],
    ["the past", { "retry-after": "Mon, 26 Jan 2026 08:00:00 GMT" }, 1000],
    ["nonsense", { "retry-after": "soon" }, null],
  ] as const)("waits for what it asks: %s", (_, headers, waitMs) => {
    expect(trouble(429, headers).waitMs).toBe(waitMs);
  });

  it("names the setting of a token that is not taken any more", () => {
    expect(trouble(401).next).toContain("COS_GITHUB_TOKEN");
  });
});
