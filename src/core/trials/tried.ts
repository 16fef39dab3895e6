import { isRepositoryCheck } from "../acceptance/repository-check.ts";
import { count } from "../text.ts";
import type { Judgement, TrialQuestion } from "./judge.ts";
import type { ChangedLine } from "./lines.ts";
import type { WorkNature } from "./plan.ts";

/** One criterion or check with its trials, as stored in evidence and shown on cards. */
export interface TriedProof extends Judgement {
  /** The criterion's id, such as `AC-1` or `CHECK-1`. */
  readonly id: string;
  readonly command: string;
  /** How its repeated runs on this work ended, when it had failed before in this goal; null when it had not. */
  readonly again: { readonly passed: number; readonly of: number; readonly isUnsteady: boolean } | null;
  /** What the work did. Verdicts stored by an older version have none. */
  readonly nature?: WorkNature;
  /** Changed lines and whether the proof reached them, as far as its runner reports. Verdicts stored by an older version have none. */
  readonly lines?: readonly ChangedLine[];
  /** Suppressions of tool messages that the work added and without which it fails. Verdicts stored by an older version have none. */
  readonly silenced?: readonly string[];
  /** The trials: first whole trees, in the order in which they ended, then near misses in their order. */
  readonly trials: readonly ShownTrial[];
}

/** Name of the trial without the work's source, when the work adds tests or settings. */
export const ownTestsBefore = "the work's tests and settings on the base's source";

export interface ShownTrial {
  /** "without the work's source", "test/price.test.js:4: 42 became 43". */
  readonly what: string;
  readonly result: "pass" | "fail" | "none";
  readonly durationMs: number;
  /** Additional duration of the setup of its folder. Verdicts stored by an older version have none. */
  readonly setupMs?: number;
  /** True when the result was known from an earlier round or goal. */
  readonly isKept: boolean;
}

/** Reasons to ask a person about proofs that passed, one sentence each; empty when nobody is asked. D38, F-205. */
export function trialReasons(
  tried: readonly TriedProof[],
  asks: { readonly aboutGuards: boolean; readonly aboutUnsteady: boolean },
): string[] {
  const said = tried.flatMap((proof) => [
    ...proof.questions.map((question) => questionWords(proof, question)),
    ...(asks.aboutUnsteady && proof.again?.isUnsteady === true
      ? [`${triedName(proof)} passed ${proof.again.passed} of ${proof.again.of} runs: it is not steady`]
      : []),
  ]);
  // A reason about the work itself is given once, however many proofs there are.
  const reasons = [...new Set(said)];
  return asks.aboutGuards && guardsOnly(tried) ? [...reasons, "Guards only: nothing proves the change"] : reasons;
}

/** True when the proofs pass with and without the work, so that nothing proves the change (D38). */
export function guardsOnly(tried: readonly Pick<TriedProof, "verdict">[]): boolean {
  return tried.some(({ verdict }) => verdict === "guards") && tried.every(({ verdict }) => verdict !== "proves");
}

/** Proofs that pass whatever is broken: their passing says nothing (D38). */
export function powerless<T extends Pick<TriedProof, "verdict">>(tried: readonly T[]): readonly T[] {
  return tried.filter(({ verdict }) => verdict === "no-power");
}

/** The name for a person: a check is named by its command. */
export function triedName({ id, command }: Pick<TriedProof, "id" | "command">): string {
  return isRepositoryCheck(id) ? command : id;
}

/** "what keeps tools silent: src/price.ts:2 (@ts-ignore)". */
export function silencedWords(places: readonly string[]): string {
  const more = places.length > 3 ? `, and ${places.length - 3} more` : "";
  return `what keeps tools silent: ${places.slice(0, 3).join(", ")}${more}`;
}

function questionWords(proof: TriedProof, question: TrialQuestion): string {
  const name = triedName(proof);
  switch (question.type) {
    case "no-power":
      return question.noneFailed === true
        ? `${name} fails when broken, but none of its tests does: it has no power (${question.tried.slice(0, 3).join("; ")})`
        : `${name} passes whatever is broken: it has no power (${question.tried.slice(0, 3).join("; ")}, and it passed all the same)`;
    case "passed-by-proof":
      return `${name} failed before, and passes with the work's tests and settings alone: the source was not needed for it`;
    case "passed-by-added":
      return `${name} passed before, and fails on this work without what was added to the tests: ${question.added.slice(0, 5).join(", ")}`;
    case "tests-gone": {
      const named = question.names.length === 0 ? "" : `: ${question.names.slice(0, 5).join(", ")}`;
      const ran = question.number === 1 ? "1 test that ran before does" : `${question.number} tests that ran before do`;
      return `${name}: ${ran} not run any more${named}`;
    }
    case "not-later":
      return `${name} passes today and fails with the clock ${question.days} days on: what the work does depends on the date`;
    case "not-elsewhere": {
      const { given = [] } = question;
      const set = ["what a terminal sets", ...given.slice(0, 5)].join(", ");
      return `${name} passes where it was verified and fails in another folder, on a machine of another name, with ${set}, where nothing may change its tests: what the work does depends on where it is`;
    }
    case "silenced":
      return `${name} failed before, and passes only with ${silencedWords(question.places)}`;
    case "names-runner":
      return `${question.path} names ${question.names.join(", ")}, which no source did before: what is tested can tell that it is, change how, or read what is wanted of it`;
    case "changes-shared":
      return `${question.path} changes ${question.names.slice(0, 5).join(", ")}, which all code shares: by that it can decide what its own tests compare`;
    case "runs-text":
      return `${question.path} runs text as code (${question.names.slice(0, 5).join(", ")}): whether what is tested can tell by it that it is was not seen`;
    case "tests-in-source":
      return `${question.path} has tests of its own that are others now (${question.lines.slice(0, 3).join(" · ")}): what was there before cannot be run on this work`;
    case "taken-for":
      return `${question.path} is new beside ${question.other}, and ${question.test} loads it in its place: whether ${question.other} does what is wanted was not seen`;
    case "unread": {
      const [first = "", ...others] = question.paths;
      const all = others.length === 0 ? first : `${first} and ${count(others.length, "other file")}`;
      return `${all} ${others.length === 0 ? "is" : "are"} too much to be looked at: whether what is tested can tell that it is was not seen`;
    }
  }
}
