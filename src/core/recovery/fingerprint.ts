import { normalError } from "./normal-error.ts";
import type { FailureKind } from "./failure.ts";

/** The facts that decide whether two failures are the same. */
export interface FailureTraits {
  readonly kind: FailureKind;
  readonly error: string;
  /** Criteria that failed. */
  readonly criteria: readonly string[];
  /** Files that the attempt touched. */
  readonly files: readonly string[];
}

const longest = 2000;

/**
 * Returns a canonical text that is the same for each occurrence of a failure: kind, error without parts that differ from run to
 * run, and the failing criteria and touched files, sorted. Callers hash it.
 */
export function failureFingerprint(traits: FailureTraits): string {
  const sorted = (names: readonly string[]): string => [...new Set(names)].sort().join(",");
  return [
    traits.kind,
    normalError(traits.error).slice(0, longest),
    sorted(traits.criteria),
    sorted(traits.files).slice(0, longest),
  ].join("\n");
}
