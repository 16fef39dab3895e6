import { rubyFailingIn } from "./ruby-report.ts";

/** Names of failed tests, for runners whose summary gives only numbers. */

/**
 * Names of failed tests in one line of output; empty for every other line. vitest: " FAIL  test/price.test.js > the price", or the path of
 * a file that cannot be loaded; jest: "  ● shop › the price"; mocha and ExUnit: "    1) the price"; cargo: "test tests::price ... FAILED".
 */
export function failedTestNames(line: string): string[] {
  const [, ofVitest = ""] = /^\s{0,4}FAIL {1,4}(?:\|[\w -]{1,80}\| {1,4})?(\S.{0,400})$/.exec(line.slice(0, 500)) ?? [];
  const parts = ofVitest.split(" > ");
  if (parts.length > 1) return [parts.slice(1).join(" > ")];
  const [, path = ""] = /^(\S{1,300}) \[ \S{1,300} \]$/.exec(ofVitest) ?? [];
  if (path !== "") return [path];
  const [, ofJest = ""] = /^ {1,4}● (\S.{0,400})$/.exec(line.slice(0, 500)) ?? [];
  if (ofJest !== "") return [ofJest.replaceAll(" › ", " > ").trim()];
  const [, ofCargo = ""] = /^test (\S.{0,400}) \.\.\. FAILED$/.exec(line.slice(0, 500)) ?? [];
  if (ofCargo !== "") return [ofCargo];
  const [, ofMocha = ""] = /^ {2,40}\d{1,4}\) (\S.{0,400})$/.exec(line.slice(0, 500)) ?? [];
  if (ofMocha !== "") return /^(?:Failure|Error|Skipped):$/.test(ofMocha) ? [] : [ofMocha.trim()];
  return rubyFailingIn(line.slice(0, 500));
}

/**
 * Names of the tests that TAP reports as failed: "not ok 3 - the price". tape and similar runners print the title of a test before its
 * assertions: "# the price", "not ok 3 should be equal".
 */
export function notOkIn(lines: readonly string[]): string[] {
  const failed: string[] = [];
  let title = "";
  for (const line of lines.map((each) => each.slice(0, 500))) {
    const [, comment] = /^ {0,40}# (?:Subtest: )?(\S.{0,400})$/.exec(line) ?? [];
    if (comment !== undefined) title = comment.trim();
    const found = /^ {0,40}not ok \d{1,9}(?: - (\S.{0,400}))?/.exec(line);
    if (found === null || / # (?:TODO|SKIP)/i.test(line)) continue;
    const name = (found[1] ?? title).replace(/ # .{0,400}$/, "").trim();
    if (name !== "") failed.push(name);
  }
  return failed;
}
