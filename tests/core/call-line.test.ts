import { expect, it } from "vitest";
import type { Call } from "../../src/core/calls.ts";
import { callLine } from "../../src/core/cards/call-line.ts";

const question = { checkpointId: "cp-1", version: 2 };

it.each<[Call, string, string]>([
  [{ command: "answer", id: question, choice: "Send back" }, "Send back", "answer cp-1 'Send back'"],
  [{ command: "modify", id: question }, "Modify…", "modify cp-1 TEXT"],
  [{ command: "modify", id: question }, "Give another criterion…", "modify cp-1 --criteria FILE"],
  [{ command: "goal edit", id: "cp-1.2" }, "Edit the command…", "answer cp-1 'Edit the command' --run CMD"],
  [{ command: "goal edit", id: "goal-1" }, "Edit the command…", "goal edit goal-1 --run CMD"],
  [{ command: "goal prove", id: "goal-1" }, "Add criteria…", "goal prove goal-1 --done-when CMD"],
  [{ command: "goal check", id: "goal-1", criterion: "AC-2" }, "AC-2 holds", "goal check goal-1 AC-2"],
  [{ command: "goal merge", id: "goal-1" }, "Merge", "goal merge goal-1"],
  [{ command: "campaign start", id: "camp-1" }, "Start", "campaign start camp-1"],
  [{ command: "autopilot resume", repo: "my shop" }, "Resume", "autopilot resume --repo 'my shop'"],
  [{ command: "merge stop" }, "Stop", "merge stop"],
  [{ command: "night end" }, "End the night", "night end"],
])("in a terminal %j is typed", (call, label, line) => {
  expect(callLine({ call, label })).toBe(line);
});
