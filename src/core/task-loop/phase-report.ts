import { z } from "zod";
import { shorten } from "../text.ts";
import { jsonOrNull } from "../text/json.ts";
import { pointsAtSomething } from "./evidence.ts";
import type { TaskFlags } from "./flags.ts";
import type { LoopPhase } from "./workflow.ts";

/** An agent's report about its phase, normalised. Any written text gives a report (S3-PR). */
export interface PhaseReport {
  readonly schemaVersion: 1;
  readonly phase: LoopPhase;
  readonly outcome: string;
  readonly statusUpdates: Partial<TaskFlags>;
  readonly reasons: readonly string[];
  readonly evidenceRefs: readonly string[];
  /** `agent`: the agent wrote it. `inferred`: derived from the flags that changed. */
  readonly source: "agent" | "inferred";
  readonly validationErrors: readonly string[];
}

/** The flags that a phase may report. All others are ignored and listed as errors (S3-PR-06). */
const ofCheck = ["taskPassed", "taskFailed", "hasMoreTasks", "allTasksComplete"] as const;
const ownedFlags: Partial<Record<LoopPhase, readonly (keyof TaskFlags)[]>> = {
  spec_check_legacy: ofCheck,
  spec_check_layered: ofCheck,
  spec_check_persist: ofCheck,
};

const raw = z.looseObject({});

/**
 * A phase's report, from the file that it wrote (null when there is none) or, without a file, from the flags that changed. S3-PR-01…09,
 * C-53, C-55.
 */
export function readPhaseReport(phase: LoopPhase, written: string | null, changed: Partial<TaskFlags>): PhaseReport {
  if (written === null) {
    const statusUpdates = owned(phase, changed).updates;
    return { ...empty(phase), outcome: "inferred", statusUpdates, source: "inferred" };
  }
  const parsed = raw.safeParse(jsonOrNull(written));
  if (!parsed.success) return { ...empty(phase), source: "agent", validationErrors: ["the report is no JSON object"] };

  const { data } = parsed;
  const errors: string[] = [];
  if (data["schemaVersion"] !== 1) errors.push(`schemaVersion: found ${show(data["schemaVersion"])}, expected 1`);
  if (data["phase"] !== phase) errors.push(`phase: found ${show(data["phase"])}, expected ${phase}`);
  const updates = raw.safeParse(data["statusUpdates"] ?? {});
  if (!updates.success) errors.push("statusUpdates: expected an object");
  const { updates: statusUpdates, ignored, unread } = owned(phase, updates.success ? updates.data : {});
  if (unread.length > 0) errors.push(`statusUpdates: ${unread.join(", ")}: expected true or false`);
  if (ignored.length > 0)
    errors.push(`statusUpdates: ${ignored.join(", ")} ${ignored.length === 1 ? "is" : "are"} not this phase's`);
  const evidenceRefs = strings(data["evidenceRefs"]);
  const vague = evidenceRefs.filter((ref) => !pointsAtSomething(ref));
  if (vague.length > 0)
    errors.push(
      `evidenceRefs: ${vague.slice(0, 3).map(show).join(", ")} ${vague.length === 1 ? "points" : "point"} at no place, command or artefact`,
    );
  return {
    schemaVersion: 1,
    phase,
    outcome: typeof data["outcome"] === "string" ? shorten(data["outcome"], 2000) : "",
    statusUpdates,
    reasons: strings(data["reasons"]),
    evidenceRefs,
    source: "agent",
    validationErrors: errors,
  };
}

function empty(phase: LoopPhase): PhaseReport {
  return {
    schemaVersion: 1,
    phase,
    outcome: "",
    statusUpdates: {},
    reasons: [],
    evidenceRefs: [],
    source: "inferred",
    validationErrors: [],
  };
}

function owned(
  phase: LoopPhase,
  given: object,
): { readonly updates: Partial<TaskFlags>; readonly ignored: readonly string[]; readonly unread: readonly string[] } {
  const mine: ReadonlySet<string> = new Set(ownedFlags[phase]);
  const entries = Object.entries(given);
  const own = entries.filter(([name]) => mine.has(name));
  return {
    updates: Object.fromEntries(own.filter(([, value]) => typeof value === "boolean")),
    ignored: entries.flatMap(([name]) => (mine.has(name) ? [] : [name])),
    unread: own.flatMap(([name, value]) => (typeof value === "boolean" ? [] : [name])),
  };
}

/** Non-empty strings; other values are dropped (S3-PR-02…04). */
function strings(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((each: unknown) => (typeof each === "string" && each.trim() !== "" ? [shorten(each.trim(), 2000)] : []))
    .slice(0, 200);
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing", 100);
}
