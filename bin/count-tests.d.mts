/** What is read of a report of vitest's JSON reporter. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Whatever the reason. */
  readonly skipped: number;
  /** Of them, those that no part of the run has begun. */
  readonly notBegun: number;
}

export function countTests(result: Report | null, exitCode: number): Counts;

export function rowsOf(title: string): readonly string[];

export function rowsNotTried(result: Report | null): readonly string[];
