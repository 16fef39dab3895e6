/** Summaries of Ruby's test runners, and of others with the same wording (ExUnit, bats). */

/**
 * Number of passed, failed and skipped tests in a summary line; null for another line. minitest: "3 runs, 3 assertions, 1 failures, 0
 * errors, 0 skips"; test-unit: "3 tests, 3 assertions, 1 failures, …"; RSpec: "3 examples, 1 failure, 1 pending"; ExUnit and bats: "3
 * tests, 1 failure".
 */
export function rubyCountsIn(line: string): readonly [number, number, number] | null {
  const found =
    /^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors(?:, (\d{1,9}) (?:skip|pending)s)?/.exec(
      line,
    ) ??
    /^(\d{1,9}) examples?, (\d{1,9}) failures?()(?:, (\d{1,9}) pending)?/.exec(line) ??
    /^(?:\d{1,9} (?:doctest|propert)\w{0,3}, )?(\d{1,9}) tests?, (\d{1,9}) failures?()(?:, (\d{1,9}) (?:excluded|skipped))?/.exec(
      line,
    );
  if (found === null) return null;
  const [all, failures, errors, skipped] = found.slice(1).map((each) => Number(each ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  const failed = failures + errors;
  return [Math.max(0, all - failed - skipped), failed, skipped];
}

/** minitest: "PriceTest#test_tax [test/price_test.rb:9]:"; test-unit: "Failure: test_tax(PriceTest)"; RSpec numbers them as mocha does. */
export function rubyFailingIn(line: string): string[] {
  const [, name = ""] =
    /^([A-Z][\w:]{0,200}#\S{1,300}?)(?: \[\S{1,300}\])?:$/.exec(line) ??
    /^(?:Failure|Error): (\w{1,200}[?!]?\([\w:]{1,200}\))/.exec(line) ??
    [];
  return name === "" ? [] : [name.trim()];
}
