import { normalError } from "./normal-error.ts";
import type { FailureKind } from "./failure.ts";

/** What makes two failures the same one. */
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
 * A failure as canonical text, the same for every occurrence of it: kind, error without what differs from run to run,
 * failing criteria and touched files in order. Callers hash it.
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
