import { count } from "../text.ts";
import type { StructuredRun } from "./results.ts";

/** What is known when an agent wants to stop. */
export type StopFacts =
  /** No implement session is open where the agent works. */
  | { readonly type: "outside" }
  | {
      readonly type: "inside";
      /** The status in the record; `unreadable` when the record cannot be parsed (C-39). */
      readonly session: "in_progress" | "completed" | "escalated" | "unreadable";
      /** Every criterion of the session, in order. */
      readonly criteria: readonly string[];
      /** The newest run. Null when there is none or it cannot be parsed. */
      readonly run: StructuredRun | null;
      /** The current revision of the work. Null when it is not known. */
      readonly revision: string | null;
      /** Stops that were refused since the newest run. */
      readonly blocks: number;
      readonly maxBlocks: number;
    };

type Inside = Extract<StopFacts, { type: "inside" }>;

export type StopDecision =
  | { readonly type: "allow"; readonly warning: string | null; readonly manual: readonly string[] }
  | { readonly type: "block"; readonly message: string };

/**
 * Decides whether an agent may stop, by seed 002's matrix with its resolutions. A run of other content counts as none, even in a completed
 * session (C-38, D46). A run that does not cover every criterion counts as none too (C-42). Escalated sessions may stop (C-34). After
 * `maxBlocks` refusals in a row the gate opens, always with a warning (C-32, C-33). S2-SH-01…12, S2-RJ-01…03.
 */
export function decideStop(facts: StopFacts): StopDecision {
  if (facts.type === "outside") return allow();
  if (facts.session === "escalated") return allow();

  const run = currentRun(facts);
  const open = facts.blocks >= facts.maxBlocks;
  if (run === null) {
    const wasChanged = facts.run !== null && facts.run.verification_run.revision !== facts.revision;
    if (!open) return { type: "block", message: missingMessage(facts, wasChanged) };
    return allow(
      `Stopped without a verification run after ${count(facts.blocks, "refusal")}. Nothing is proven about ${named(facts.criteria)}: review the work and run /done.`,
    );
  }
  const failing = run.results.filter((result) => result.status === "fail" || result.status === "not-checked");
  const manual = run.results
    .filter((result) => result.status === "requires-human")
    .map((result) => result.criterion_id);
  if (failing.length === 0) return { type: "allow", warning: null, manual };
  if (!open) return { type: "block", message: failedMessage(failing) };
  const ids = failing.map((result) => result.criterion_id);
  return allow(
    `Stopped with failing criteria after ${count(facts.blocks, "refusal")}: ${named(ids)}. Review them before this is used.`,
    manual,
  );
}

function allow(warning: string | null = null, manual: readonly string[] = []): StopDecision {
  return { type: "allow", warning, manual };
}

/** The newest run, if it is of the current revision and covers every criterion. */
function currentRun(facts: Inside): StructuredRun | null {
  const { run, session, criteria, revision } = facts;
  if (run === null || session === "unreadable") return null;
  const covered = new Set(run.results.map((result) => result.criterion_id));
  if (criteria.some((id) => !covered.has(id))) return null;
  return run.verification_run.revision === revision ? run : null;
}

function missingMessage({ criteria, session }: Inside, wasChanged: boolean): string {
  return [
    "HOLD: Cannot stop - verification not run.",
    "Run /done to verify all acceptance criteria before completing.",
    `Criteria remaining: ${criteria.join(", ")}`,
    ...(wasChanged ? ["The work was changed after its last verification."] : []),
    ...(session === "unreadable"
      ? ["The record of this session cannot be read: /done says how to put it away and start a new one."]
      : []),
  ].join("\n");
}

function failedMessage(failing: StructuredRun["results"]): string {
  const some = failing.length === 1 ? "1 criterion" : `${failing.length} criteria`;
  return [
    `HOLD: Cannot stop - ${some} failed verification.`,
    "",
    "Failed:",
    ...failing.map((result) => `  - ${result.criterion_id}: ${result.details.split("\n")[0] ?? ""}`),
    "",
    "Continue working on failing criteria, then run /done again.",
  ].join("\n");
}

function named(ids: readonly string[]): string {
  return ids.length === 0 ? "the criteria" : ids.join(", ");
}

/** IMPLEMENT_MAX_BLOCKS, if it is a whole number of at least 1; otherwise 5 (S2-SH-10, C-33). */
export function maxBlocksOf(text: string | undefined): number {
  const number = Number(text?.trim());
  return Number.isInteger(number) && number >= 1 ? number : 5;
}
