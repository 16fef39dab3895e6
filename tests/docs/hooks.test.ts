import { describe, expect, it } from "vitest";
import { hookLine, hookTools } from "../../src/core/worklog/hook-line.ts";
import { blocksOf } from "./markdown.ts";

/** The settings that docs/worklog.md gives for a coding agent of one's own. */

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly matcher?: string }[]>>;
}

const block = blocksOf("docs/worklog.md").find(
  ({ language, text }) => language === "json" && text.includes("worklog-hook"),
);
const { hooks } = JSON.parse(block?.text ?? "") as Settings;

/** Every event of which Claude Code tells its hooks. */
const events = [
  ["SessionStart", "SessionEnd", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PermissionRequest"],
  ["PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "SubagentStart", "SubagentStop"],
  ["Stop", "StopFailure", "PreCompact", "PostCompact", "TaskCreated", "TaskCompleted", "ConfigChange"],
].flat();

describe("the hooks for a coding agent of one's own", () => {
  it("are those of every event that a worklog reads, failed commands included", () => {
    const read = events.filter(
      (event) => hookLine({ hook_event_name: event, tool_name: "Bash", tool_input: {} }, new Date(0), "ana") !== null,
    );
    expect(Object.keys(hooks).sort()).toEqual(read.sort());
  });

  it.each(["PostToolUse", "PostToolUseFailure"])("of %s match every tool that has entries", (event) => {
    expect(hooks[event]?.flatMap(({ matcher = "" }) => matcher.split("|"))).toEqual(hookTools);
  });
});
