import { describe, expect, it } from "vitest";
import { safeOutput } from "../../src/core/secrets/mask.ts";

describe("what a child wrote, safe to keep", () => {
  it.each([
    ["a Slack token", "xoxb-123456789012-abcdefghijkl"],
    ["a GitHub token", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"],
    ["an OpenAI key", "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz"],
    ["an Anthropic key", `sk-ant-api03-${"a1B2".repeat(12)}`],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
    ["an npm token", "npm_0123456789abcdefghijklmnopqrstuvwxyz"],
    ["a secret of ours", "our-very-own-secret"],
  ])("masks %s", (_, secret) => {
    const safe = safeOutput(`before ${secret} after`, ["our-very-own-secret"]);

    expect(safe).not.toContain(secret);
    expect(safe).toMatch(/^before .+ after$/);
  });

  it("masks the password of an address and what follows password=", () => {
    expect(safeOutput("postgres://ana:hunter22@db/x", [])).not.toContain("hunter22");
    expect(safeOutput("password=hunter22", [])).not.toContain("hunter22");
  });

  it("masks a private key whole", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabcdef\n-----END RSA PRIVATE KEY-----";

    expect(safeOutput(`a\n${key}\nb`, [])).not.toContain("MIIEpAIBAAKCAQEA");
  });

  it("leaves ordinary text as it is and makes control characters harmless", () => {
    expect(safeOutput("plain text, 12 of 14 ok\n\ttabbed", [])).toBe("plain text, 12 of 14 ok\n\ttabbed");
    const safe = safeOutput("a\u0000b\u001b[31mc", []);
    expect([safe.includes("\u0000"), safe.includes("\u001b")]).toEqual([false, false]);
  });
});
