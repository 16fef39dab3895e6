import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { laterDays, laterPrograms, looksAtDate } from "../../src/core/trials/later.ts";
import { newSurroundings } from "../../src/core/trials/surroundings.ts";

/** Not every machine has Python. */
const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "later-"));
  for (const [name, text] of Object.entries(laterPrograms(laterDays)))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program prints, in whole days from now, each word of it a number of seconds. */
function daysOn(program: string, words: readonly string[]): number[] {
  const environment = {
    NODE_OPTIONS: `--require="${join(folder, "clock.cjs")}"`,
    PYTHONPATH: folder,
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
  };
  const said = execFileSync(program, words, { env: environment, encoding: "utf8" });
  return said
    .trim()
    .split(/\s+/)
    .map((word) => Math.round((Number(word) - Date.now() / 1000) / 86_400));
}

describe("the clock further on", () => {
  it("is what Node and a shell find, and a day that is named stays that day [F-201]", () => {
    const node = "console.log(Date.now() / 1000, new Date() / 1000, new (class A extends Date {})() / 1000)";
    expect(daysOn(process.execPath, ["-e", node])).toEqual([400, 400, 400]);
    expect(daysOn("sh", ["-c", 'date +%s; date -d "+1 day" +%s'])).toEqual([400, 1]);
    const same =
      "console.log(new Date() instanceof Date && new Date(0).getTime() === 0 && new Date().constructor === Date)";
    expect(execFileSync(process.execPath, ["-r", join(folder, "clock.cjs"), "-e", same], { encoding: "utf8" })).toBe(
      "true\n",
    );
  });

  it.runIf(hasPython)("is what Python finds [F-201]", () => {
    const python =
      "import time, datetime as d\nprint(time.time(), time.time_ns() / 1e9, d.datetime.now().timestamp(), d.datetime.today().timestamp(), d.datetime.now(d.timezone.utc).timestamp(), time.mktime(d.date.today().timetuple()) + 43200, time.mktime(time.localtime()))";

    expect(daysOn("python3", ["-c", python])).toEqual([400, 400, 400, 400, 400, 400, 400]);
    const kinds =
      "import datetime as d\nprint(isinstance(d.date(2020, 1, 1), d.date) and isinstance(d.datetime.strptime('2020', '%Y'), d.date))";
    expect(
      execFileSync("python3", ["-c", kinds], { env: { ...process.env, PYTHONPATH: folder }, encoding: "utf8" }),
    ).toBe("True\n");
  });

  it.each<[string, string, boolean]>([
    ["a.js", "if (new Date() < end) price = 42;\n", true],
    ["a.js", "const at = new Date(2020, 1); performance.now();\n", false],
    ["a.py", "datetime.date.today()\n", true],
    ["a.py", "time.monotonic()\n", false],
    ["a.sh", 'year="$(date +%Y)"\n', true],
  ])("is for what begins to look at the date: %s %s", (path, text, looks) => {
    expect(looksAtDate(newSurroundings(path, text, null, []))).toBe(looks);
  });
});
