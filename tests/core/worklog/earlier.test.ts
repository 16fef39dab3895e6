import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import {
  actionableOutcomes,
  earlierWork,
  earlierWorkLines,
  type WorklogRecord,
  looksBack,
} from "../../../src/core/worklog/earlier.ts";

const policy = defaultPolicy.worklog.detection;
const now = new Date("2026-01-26T14:00:00Z");

function found(
  sessionId: string,
  outcome: string,
  started: string | null,
  more: Partial<WorklogRecord> = {},
): WorklogRecord {
  const startedAt = started === null ? null : new Date(`2026-01-26T${started}:00Z`);
  const lastModified = new Date("2026-01-26T12:30:00Z");
  return { sessionId, outcome, taskDescription: "implement user authentication", startedAt, lastModified, ...more };
}

describe("earlier work", () => {
  it("[S1-CD-02] is looked for by STRICT and STANDARD only", () => {
    expect(["STRICT", "STANDARD", "LIGHT", "EXEMPT", "HEAVY"].map(looksBack)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("[S1-CD-01] has these numbers, tiers and outcomes", () => {
    expect(policy).toMatchObject({ timeoutMs: 500, most: 10, heartbeatMs: 300_000 });
    expect(["STRICT", "STANDARD", "LIGHT", "EXEMPT"].filter(looksBack)).toEqual(["STRICT", "STANDARD"]);
    expect(actionableOutcomes).toEqual(["abandoned", "in_progress"]);
  });

  it("[S0-CD-03] [S1-CD-08] is abandoned or in progress", () => {
    expect(earlierWork([found("a", "success", "10:00"), found("b", "failure", "11:00")], now, policy)).toBeNull();
    const work = earlierWork([found("a", "in_progress", "10:00")], now, policy);
    expect(work === null ? null : earlierWorkLines(work)[0]).toBe(
      "ℹ️ Previous work detected: implement user authentication (in_progress)",
    );
  });

  it("[S1-CD-03] [S1-CD-05] is the newest; what has no start comes last", () => {
    const three = [found("a", "abandoned", "10:00"), found("b", "abandoned", "12:00"), found("c", "abandoned", null)];
    expect(earlierWork(three, now, policy)?.session_id).toBe("b");
    expect(earlierWork(three.slice(2), now, policy)).toMatchObject({ session_id: "c", started_at: null });
  });

  it("[S0-CD-09] is nobody's who works now, and never found by its text", () => {
    const atWork = found("a", "in_progress", "13:58", { lastModified: new Date("2026-01-26T13:58:00Z") });
    expect(earlierWork([atWork], now, policy)).toBeNull();
    expect(earlierWork([{ ...atWork, outcome: "abandoned" }], now, policy)?.session_id).toBe("a");
  });

  it("[S0-CD-07] [S1-CD-09] is told in three lines", () => {
    const work = earlierWork([found("20260125_143215_001", "abandoned", "10:00")], now, {
      ...policy,
      restoreCommand: "/sc:load --checkpoint {session_id}",
    });

    expect(work).toEqual({
      session_id: "20260125_143215_001",
      outcome: "abandoned",
      task_description: "implement user authentication",
      started_at: "2026-01-26T10:00:00.000Z",
      restore_command: "/sc:load --checkpoint 20260125_143215_001",
    });
    expect(work === null ? [] : earlierWorkLines(work)).toEqual([
      "ℹ️ Previous work detected: implement user authentication (abandoned)",
      "Session: 20260125_143215_001 | Started: 2026-01-26T10:00:00.000Z",
      "To restore: /sc:load --checkpoint 20260125_143215_001",
    ]);
  });

  it.each([
    ["Fix the login\n\n- with tests\n- and docs\n", "Fix the login - with tests - and docs"],
    [`Überprüfe ${"sehr ".repeat(1_000)}viel`, `Überprüfe ${"sehr ".repeat(57)}sehr…`],
    ["  ", "Unknown task"],
    ["\u200b", "Unknown task"],
  ])("[S0-CD-07] [S1-CD-04] is told in three lines, however %j was written", (taskDescription, told) => {
    const work = earlierWork([found("20260125_143215_001", "abandoned", "10:00", { taskDescription })], now, policy);

    expect(work === null ? "" : earlierWorkLines(work).join("\n")).toBe(
      [
        `ℹ️ Previous work detected: ${told} (abandoned)`,
        "Session: 20260125_143215_001 | Started: 2026-01-26T10:00:00.000Z",
        "To restore: cos worklog resume 20260125_143215_001",
      ].join("\n"),
    );
  });

  it("[S1-CD-04] [S0-CD-08] without a text is an unknown task; the command is what the policy says", () => {
    const work = earlierWork([found("x", "abandoned", "10:00", { taskDescription: null })], now, policy);
    expect(work).toMatchObject({ task_description: "Unknown task", restore_command: "cos worklog resume x" });
  });
});
