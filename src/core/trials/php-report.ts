/**
 * Number of passed, failed and skipped tests in a summary line of PHPUnit; null for another line. "OK (5 tests, 5 assertions)", or, with
 * any failure or skip, "Tests: 5, Assertions: 4, Failures: 1, Skipped: 1.". There the remaining tests passed.
 */
export function phpUnitIn(line: string): [passed: number, failed: number, skipped: number] | null {
  const [, whole] = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)/.exec(line) ?? [];
  if (whole !== undefined) return [Number(whole), 0, 0];
  const [, ran] = /^\s{0,8}Tests: (\d{1,9}), Assertions: \d/.exec(line) ?? [];
  if (ran === undefined) return null;
  const numberOf = (pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0);
  const failed = numberOf(/, Errors: (\d{1,9})/) + numberOf(/, Failures: (\d{1,9})/);
  const skipped = numberOf(/, Skipped: (\d{1,9})/) + numberOf(/, Incomplete: (\d{1,9})/);
  return [Math.max(0, Number(ran) - failed - skipped), failed, skipped];
}
