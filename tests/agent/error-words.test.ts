import { RequestError } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { lineOf, protocolErrorWords } from "../../src/agent/acp/error-words.ts";
import { readAgentWords } from "../../src/core/recovery/agent-words.ts";

describe("an error that an agent answers with over its protocol", () => {
  it.each<[unknown, string, "limit" | "login" | null]>([
    [{ details: "429 Too Many Requests" }, "Internal error: 429 Too Many Requests", "limit"],
    [{ details: "429 status code (no body)" }, "Internal error: 429 status code (no body)", "limit"],
    [{ details: "401 No auth credentials found" }, "Internal error: 401 No auth credentials found", "login"],
    [
      { message: "unexpected status 401 Unauthorized: no" },
      "Internal error: unexpected status 401 Unauthorized: no",
      "login",
    ],
    [
      { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
      "Internal error: API key not valid. Please pass a valid API key.",
      "login",
    ],
    ["401 Unauthorized", "Internal error: 401 Unauthorized", "login"],
    [{ error: { status: "RESOURCE_EXHAUSTED" } }, "Internal error", "limit"],
    [
      { details: "Cannot read properties of undefined\n    at run" },
      "Internal error: Cannot read properties of undefined",
      null,
    ],
    [{ details: "same", message: "same", error: "other" }, "Internal error: same: other", null],
    [{ details: "Internal error" }, "Internal error", null],
    [{ details: 429, message: null, error: [] }, "Internal error", null],
    [["429 Too Many Requests"], "Internal error", null],
    [undefined, "Internal error", null],
  ])("with the data %j is told as %j", (data, line, meaning) => {
    const error = new RequestError(-32_603, "Internal error", data);
    expect(lineOf(error, [])).toBe(line);
    expect(readAgentWords(protocolErrorWords(error, []))?.type ?? null).toBe(meaning);
  });

  it("is masked and bounded, whatever its data holds", () => {
    const error = new RequestError(-32_603, "Internal error", { details: `hush-hush-hush ${"x".repeat(100_000)}` });
    const words = protocolErrorWords(error, ["hush-hush-hush"]);
    expect(`${lineOf(error, ["hush-hush-hush"])} ${words.texts.join(" ")}`).not.toContain("hush");
    expect(words.texts.join("").length).toBeLessThan(10_000);
    expect(lineOf(error, []).length).toBeLessThanOrEqual(300);
  });
});
