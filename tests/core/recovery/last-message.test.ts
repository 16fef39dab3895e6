import { describe, expect, it } from "vitest";
import { readAgentWords } from "../../../src/core/recovery/agent-words.ts";
import { endingLine } from "../../../src/core/recovery/last-message.ts";

const meaningOf = (message: string): string | null => {
  const line = endingLine(message);
  if (line === null) return null;
  return readAgentWords({ from: "protocol", texts: [line], asksForLogin: false })?.type ?? null;
};

describe("what an agent says in the place of a result", () => {
  it.each([
    ["limit", "Claude AI usage limit reached|1795972945"],
    ["limit", "You've hit your limit · resets 3am (Europe/Berlin)"],
    ["limit", "\n5-hour limit reached ∙ resets 3pm\n"],
    ["limit", "You've reached your usage limit · upgrade to Max"],
    ["limit", "You're out of extra usage · resets 3am (UTC)"],
    ["limit", 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'],
    ["login", "Invalid API key · Please run /login"],
    ["login", "OAuth token has expired · Please run /login"],
    ["login", "Credit balance is too low"],
    ["away", 'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}'],
    ["away", "API Error: Connection error."],
    ["away", "API Error: Request timed out."],
    ["limit", "Opus weekly limit reached ∙ resets Mon 9am"],
    ["limit", "Session limit reached · resets 5pm"],
    ["login", "OAuth token revoked · Please run /login"],
  ])("%s: %j", (type, message) => {
    expect(meaningOf(message)).toBe(type);
  });

  it.each([
    "Done.",
    "",
    "API Error: 503 responses are retried three times now.",
    "API Error: Connection error. is shown to people now",
    'The handler of {"type":"rate_limit_error"} waits now',
    "The docs say that people run /login first.",
    "Please run /login",
    "When the limit is reached, the page says when it resets.",
    "Your plan's limit reached · upgrade is what the banner says; tests pass.\nSee src/banner.ts",
    "Request limit reached",
    "You've hit your limit · resets 3am\n\nI put that line into the fixture.",
    "I added the fixture:\nClaude AI usage limit reached|1795972945",
    "The fixture now ends with Claude AI usage limit reached|1795972945",
    "The card now says Memory limit reached · upgrade to Pro",
    "Login banner says Session limit reached · resets at midnight",
    "The banner now reads: Invalid API key · Please run /login",
    "The banner now reads Invalid API key · Please run /login",
    `Credit balance is too low${" ".repeat(4000)}is what the page says now`,
  ])("the work: %j", (message) => {
    expect(meaningOf(message)).toBeNull();
  });
});
