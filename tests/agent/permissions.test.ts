import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionOption, PermissionOptionKind } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPermissionDesk } from "../../src/agent/acp/permissions.ts";

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), "cos-permissions-"));
});
afterEach(() => rm(worktree, { recursive: true, force: true }));

/** How an agent is answered that asks for something of which a person would have to be asked, and what was done about it. */
async function answered(kinds: readonly PermissionOptionKind[]) {
  const done: string[] = [];
  const desk = openPermissionDesk({
    request: { worktree, allowedCommands: [], grants: [], secrets: [] } as never,
    observer: {
      onPermission: async () => {
        done.push("asked");
        return "allow";
      },
    },
    activity: { say: () => undefined, flush: () => undefined },
    onRejected: () => void done.push("rejected"),
    onUnaskable: (words) => void done.push(`unaskable: ${words}`),
  });
  const options: PermissionOption[] = kinds.map((kind) => ({ kind, optionId: kind, name: kind }));
  const toolCall = {
    toolCallId: "1",
    title: "Fetch",
    kind: "execute" as const,
    rawInput: { command: "curl https://a.example/x" },
  };
  const { outcome } = await desk.answer({ sessionId: "s", options, toolCall });
  return [outcome.outcome === "selected" ? outcome.optionId : outcome.outcome, ...done];
}

const unaskable = "unaskable: curl https://a.example/x";

it.each<[readonly PermissionOptionKind[], readonly string[]]>([
  [
    ["allow_once", "allow_always", "reject_once"],
    ["allow_once", "asked"],
  ],
  [
    ["allow_always", "reject_once"],
    ["reject_once", unaskable],
  ],
  [
    ["allow_always", "reject_always"],
    ["reject_always", unaskable],
  ],
  [["allow_always"], ["cancelled", unaskable]],
  [[], ["cancelled", unaskable]],
])("a person is asked only for what can be allowed once: of %j", async (kinds, expected) => {
  expect(await answered(kinds)).toEqual(expected);
});
