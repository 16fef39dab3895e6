import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { factsOf } from "../../src/agent/acp/permission-facts.ts";
import { requestWords, wouldBeAsked } from "../../src/core/permissions/permission.ts";

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), "cos-unasked-"));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

/** What would be said of a call that nobody was asked about; null: nothing. */
async function said(kind: string | null, rawInput: Readonly<Record<string, unknown>>): Promise<string | null> {
  const facts = await factsOf(worktree, { kind, title: "", rawInput, locations: [] });
  return wouldBeAsked(facts, ["npm run lint"]) ? requestWords({ ...facts, given: [] }) : null;
}

it("names a command, a place outside and an address that an agent took without asking, whatever the kind of its tool [F-306]", async () => {
  expect(await said("execute", { command: "rm -rf build" })).toBe("rm -rf build");
  expect(await said("other", { command: "rm -rf build" })).toBe("rm -rf build");
  expect(await said(null, { command: "rm -rf build" })).toBe("rm -rf build");
  expect(await said("other", { path: "/etc/hosts" })).toBe("/etc/hosts");
  expect(await said("fetch", { url: "https://example.org/list" })).toBe("https://example.org/list");
  expect(await said("other", { url: "https://example.org/list" })).toBe("https://example.org/list");
});

it("says nothing of what needs no question, and of tools that only think", async () => {
  expect(await said("other", { command: "npm run lint" })).toBeNull();
  expect(await said(null, { command: "git status" })).toBeNull();
  expect(await said("other", { path: "src/cart.js" })).toBeNull();
  expect(await said("other", { "left out": "/" })).toBeNull();
  expect(await said("other", { prompt: "Look at src/cart.js and https://example.org/list" })).toBeNull();
  expect(await said("other", { todos: [{ content: "Write a/b", status: "pending" }] })).toBeNull();
  expect(await said("fetch", { query: "rounding of prices" })).toBeNull();
  expect(await said("read", { path: "/etc/hosts" })).toBeNull();
});
