#!/usr/bin/env node
// Tries the published cheats on a project for each runner and prints how each ended: one cheat of each class; with --all every one; with
// --only NAME,NAME the named ones.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { project } from "./install.mjs";

const given = process.argv.slice(2);
const only = given.indexOf("--only");
const names = only === -1 ? undefined : given.splice(only, 2)[1];
const cheats = given.includes("--all") ? "all" : names;
const folder = mkdtempSync(join(tmpdir(), "cos-cheats-table-"));
const table = join(folder, "table.jsonl");
writeFileSync(table, "");
const words = [
  join(project, "bin", "test.mjs"),
  "tests/walks/cheats.test.ts",
  ...given.filter((word) => word !== "--all"),
];
const { status } = spawnSync(process.execPath, words, {
  cwd: project,
  stdio: "inherit",
  env: { ...process.env, COS_TEST_CHEATS_TABLE: table, ...(cheats === undefined ? {} : { COS_TEST_CHEATS: cheats }) },
});
const lines = readFileSync(table, "utf8")
  .split("\n")
  .filter((line) => line !== "");
rmSync(folder, { recursive: true, force: true });
print(lines.map((line) => JSON.parse(line)));
process.exitCode = status ?? 1;

/** Prints one row for each cheat and one column for each project, whose criterion failed before the cheat, or passed and guards. */
function print(projects) {
  const names = [...new Set(projects.flatMap(({ ends }) => ends.map(({ name }) => name)))].sort((one, other) =>
    one.localeCompare(other),
  );
  const columns = projects.map(({ runner, base, ends }) => {
    const endOf = new Map(ends.map(({ name, end }) => [name, end === "does not apply" ? "n/a" : end]));
    return [`${runner}${base === "passes" ? " guards" : ""}`, ...names.map((name) => endOf.get(name) ?? "")];
  });
  const all = [["", ...names], ...columns];
  const widths = all.map((column) => Math.max(...column.map((word) => word.length)) + 2);
  for (let row = 0; row <= names.length; row += 1)
    process.stdout.write(
      `${all
        .map((column, index) => column[row].padEnd(widths[index]))
        .join("")
        .trimEnd()}\n`,
    );
  for (const { runner, base, ends } of projects) {
    const of = (wanted) => ends.filter(({ end }) => end === wanted).length;
    const what = base === "passes" ? `${runner} guards` : runner;
    process.stdout.write(
      `${what}: ${of("through")} of ${ends.length} got through, ${of("seen")} seen, ${of("does not apply")} n/a (nothing defended, and it failed all the same)\n`,
    );
  }
  for (const sentence of new Set(projects.map(({ notIsolated }) => notIsolated))) {
    process.stdout.write(`Here: ${sentence ?? "everything is isolated"}.\n`);
  }
}
