import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import type { WorklogEntry } from "../../../src/core/worklog/entry.ts";
import { type PhaseSummary, worklogPhases } from "../../../src/core/worklog/phase.ts";
import { fitting, keptSummary, keptTodos } from "../../../src/core/worklog/room.ts";

const most = defaultPolicy.worklog.retention.sessionBytes;
const common = { timestamp: "2026-01-26T09:00:00.000Z", status: "completed", tokens_consumed: 0 } as const;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function edit(words: string): WorklogEntry {
  return { ...common, action: "Edit", context: words, details: { files: [words], change_summary: words } };
}

/** What a session keeps of these entries, told ten at a time, of a summary of each phase and of its plan. */
function keptOf(told: readonly WorklogEntry[], words: string): { entries: WorklogEntry[]; all: unknown[] } {
  const entries: WorklogEntry[] = [];
  let used = 0;
  for (let at = 0; at < told.length; at += 10) {
    const some = told.slice(at, at + 10).map((entry) => ({ entry }));
    const { items, bytes } = fitting(some, used, most);
    entries.push(...items.map(({ entry }) => entry));
    used = bytes;
  }
  const all: unknown[] = [...entries];
  for (const phase of worklogPhases) {
    const description = `${words} is not in the plan`;
    const deviations = Array.from(
      { length: 50 },
      () => ({ type: "unplanned_file", description, severity: "medium" }) as const,
    );
    const summary: PhaseSummary = {
      phase,
      timestamp: common.timestamp,
      operations_since_last: told.length,
      files_modified: Array.from({ length: 300 }, (_, index) => `${words}/${index}`),
      todos_completed: 0,
      todos_remaining: 100,
      deviations,
      verification_results: { passed: 0, failed: 0, skipped: 0 },
    };
    const kept = keptSummary(summary, used, most);
    const entry: WorklogEntry = {
      ...common,
      action: "Checkpoint",
      context: `${phase}: ${told.length} operations, 50 deviations`,
      details: { phase, operations_count: told.length, deviations: [...kept.deviations] },
    };
    all.push(kept, entry);
    used += bytesOf(kept) + bytesOf(entry);
  }
  const todos = Array.from({ length: 100 }, (_, index) => ({ id: `todo-${index}`, content: words, status: "pending" }));
  all.push(...keptTodos(todos));
  return { entries, all };
}

const sum = (all: readonly unknown[]): number => all.reduce<number>((bytes, each) => bytes + bytesOf(each), 0);

describe("what a session keeps [S0-RT-09]", () => {
  it.each([
    ["short", 200, "a.ts"],
    ["many short", 5_000, "a.ts"],
    ["long", 200, "x".repeat(300)],
    ["of letters that take four bytes", 200, "😀".repeat(150)],
  ])("is at most 50 KB of entries, summaries and plan: %s, %i of them", (_what, times, words) => {
    const { entries, all } = keptOf(
      Array.from({ length: times }, () => edit(words)),
      words,
    );

    expect(most).toBe(51_200);
    expect(sum(all)).toBeLessThanOrEqual(51_200);
    expect(sum(entries)).toBeGreaterThan(25_000);
  });

  it("is every one of a few", () => {
    expect(
      keptOf(
        Array.from({ length: 20 }, () => edit("a.ts")),
        "a.ts",
      ).entries,
    ).toHaveLength(20);
  });
});
