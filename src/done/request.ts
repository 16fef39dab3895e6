import type { Config } from "../config.ts";
import type { CriterionResult, VerificationRun } from "../core/acceptance/results.ts";
import type { ImplementSession } from "../core/acceptance/session.ts";
import type { Criterion, Spec } from "../core/acceptance/spec.ts";

/** What `cos done` was asked for. */
export interface DoneRequest {
  /** The criteria file; may be left out where `sessionId` names a session. */
  readonly specPath: string | null;
  readonly sessionId: string | null;
  /** Begin an implement session, which the stop hook then guards. */
  readonly start: boolean;
  /** Go on with an open session in another agent session, which the stop hook then holds (AC-25). */
  readonly resume: boolean;
  readonly archive: boolean;
  /** An escalation's text: the session ends without proof when it shows enough (AC-8). */
  readonly escalation: string | null;
  /** Where commands run. */
  readonly directory: string;
}

export type Done =
  | {
      readonly type: "verified";
      readonly run: VerificationRun;
      readonly spec: Spec;
      readonly session: ImplementSession | null;
      /** The newest run, for other tools. */
      readonly statusFile: string | null;
    }
  /** `criteria`: those that it began with, as far as they can be read. */
  | {
      readonly type: "started" | "resumed";
      readonly session: ImplementSession;
      readonly criteria: readonly Criterion[];
    }
  /** `unproven`: why the channel is told of it; null when it was proven or escalated. */
  | { readonly type: "archived"; readonly sessionId: string; readonly folder: string; readonly unproven: string | null }
  | { readonly type: "escalated"; readonly session: ImplementSession; readonly criterionId: string }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/** How progress and warnings reach a person. */
export interface DoneOutput {
  readonly warn: (line: string) => void;
  readonly result: (result: CriterionResult) => void;
}

/** What of the configuration counts here. */
export type Settings = Pick<Config, "dataDir" | "secrets" | "agent" | "agentEnvironment" | "parallel" | "policy">;

export type DoneRefusal = Extract<Done, { type: "refused" }>;

/** A refusal with the command that helps. */
export function doneRefusal(reason: string, next: string): DoneRefusal {
  return { type: "refused", reason, next };
}
