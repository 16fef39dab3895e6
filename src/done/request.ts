import type { Config } from "../config.ts";
import type { CriterionResult, VerificationRun } from "../core/acceptance/results.ts";
import type { ImplementSession } from "../core/acceptance/session.ts";
import type { Criterion, Spec } from "../core/acceptance/spec.ts";

/** The arguments of `cos done`. */
export interface DoneRequest {
  /** The criteria file; may be omitted when `sessionId` names a session. */
  readonly specPath: string | null;
  readonly sessionId: string | null;
  /** True to begin an implement session, which the stop hook then guards. */
  readonly start: boolean;
  /** True to continue an open session in another agent session, which the stop hook then holds (AC-25). */
  readonly resume: boolean;
  readonly archive: boolean;
  /** The text of an escalation. If it contains enough, the session ends without proof (AC-8). */
  readonly escalation: string | null;
  /** The directory in which commands run. */
  readonly directory: string;
}

export type Done =
  | {
      readonly type: "verified";
      readonly run: VerificationRun;
      readonly spec: Spec;
      readonly session: ImplementSession | null;
      /** The file with the newest run, for other tools. */
      readonly statusFile: string | null;
    }
  /** `criteria`: the criteria from the session's start, if they can be parsed. */
  | {
      readonly type: "started" | "resumed";
      readonly session: ImplementSession;
      readonly criteria: readonly Criterion[];
    }
  /** `unproven`: the reason that is posted to the channel; null when the session was proven or escalated. */
  | { readonly type: "archived"; readonly sessionId: string; readonly folder: string; readonly unproven: string | null }
  | { readonly type: "escalated"; readonly session: ImplementSession; readonly criterionId: string }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/** Reports progress and warnings to a person. */
export interface DoneOutput {
  readonly warn: (line: string) => void;
  readonly result: (result: CriterionResult) => void;
}

/** The used part of the configuration. */
export type Settings = Pick<Config, "dataDir" | "secrets" | "agent" | "agentEnvironment" | "parallel" | "policy">;

export type DoneRefusal = Extract<Done, { type: "refused" }>;

/** Returns a refusal with the command that helps. */
export function doneRefusal(reason: string, next: string): DoneRefusal {
  return { type: "refused", reason, next };
}
