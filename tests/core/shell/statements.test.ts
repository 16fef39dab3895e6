import { describe, expect, it } from "vitest";
import { groupIn, piecesWithin, type ShellStatement, statementsOf } from "../../../src/core/shell/statements.ts";
import { filesWrittenBy } from "../../../src/core/shell/writes.ts";

const shown = ({ pipelines, isBeside }: ShellStatement): string =>
  pipelines
    .map(({ pieces, isNegated, behind }) =>
      [...(isNegated ? ["not"] : []), pieces.map(({ program }) => program).join(" | "), behind].join(" ").trim(),
    )
    .join(" ") + (isBeside ? " &" : "");

describe("the statements of a shell", () => {
  it.each([
    ["! CI=1 npm test 2>&1 | tail && a || b\nc & d", ["not npm test | tail && a || b", "c &", "d"]],
    ["cat <<E | node\nx; y\nE\ntime (cd a; b) > c # d", ["cat | node", "time (cd a; b) > c"]],
    ["case $x in a) b;; esac; f() { a; }", ["case $x in a) b;; esac", "f() { a; }"]],
    ["", []],
  ])("of %j", (command, expected) => {
    expect(statementsOf(command)?.map(shown)).toEqual(expected);
  });

  it.each(["it's", "a && ", "if a; then b", "(a", "{ ".repeat(1_000) + "a" + "; }".repeat(1_000)])(
    "are not told where something does not end, or lies too deep: %j",
    (command) => {
      expect(statementsOf(command)).toBeNull();
    },
  );

  it("hold the variable that they set, what stands in a group, and in blocks of keywords", () => {
    const [sets, group, block] = (statementsOf("rc=$?; (a; b) > c; if ! x=$(d); then { e; }; else (f); fi") ?? []).map(
      ({ pipelines }) => pipelines[0]?.pieces[0],
    );
    if (sets === undefined || group === undefined || block === undefined) throw new Error("not read");

    expect(sets.sets).toBe("rc");
    expect(groupIn(group)?.map(shown)).toEqual(["a", "b"]);
    expect(groupIn(block)).toBeNull();
    expect(piecesWithin(block).map(({ text }) => text)).toEqual(["x=$(d)", "e", "(f)"]);
  });

  it.each([
    ["(a > b; c 2>> d) &> e", ["b", "d", "e"]],
    ["a | tee -a b 'c d'", ["b", "c d"]],
    ["pytest --junitxml r.xml; npm t -- --outputFile=r.json -o x", ["r.xml", "r.json", "x"]],
    ["a 2>&1 < b; echo '> c' -o -x", []],
  ])("write files: %j", (command, files) => {
    const found = (statementsOf(command) ?? []).flatMap(({ node }) => filesWrittenBy(node));

    expect([...found].sort()).toEqual([...files].sort());
  });
});
