import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { laterDays, laterPrograms, looksAtClock } from "../../src/core/trials/later.ts";
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

  it("is what Node finds by any other name of a clock, and what a process measures stays as long [F-201]", () => {
    const node =
      'const form = new Intl.DateTimeFormat("en", { dateStyle: "short" });\nconsole.log(performance.timeOrigin / 1000, Date.parse(form.format()) / 1000 + 43200, Date.parse(form.formatToParts().map(({ value }) => value).join("")) / 1000 + 43200)';
    const ran =
      "const now = Date.now() / 1000 - 400 * 86400; console.log(now + performance.now() / 1000, now + process.uptime(), now + process.hrtime()[0] - require('os').uptime(), now + Number(process.hrtime.bigint() / 10n ** 9n) - require('os').uptime())";
    const measured =
      "const [a, b] = [performance.now(), process.hrtime()]; console.log(performance.now() - a < 1000 && process.hrtime(b)[0] === 0 && form(0) === '1970'); function form(at) { return new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format(at); }";

    for (const days of daysOn(process.execPath, ["-e", node])) expect([399, 400, 401]).toContain(days);
    expect(daysOn(process.execPath, ["-e", ran])).toEqual([400, 400, 400, 400]);
    const required = ["-r", join(folder, "clock.cjs"), "-e", measured];
    expect(execFileSync(process.execPath, required, { encoding: "utf8" })).toBe("true\n");
  });

  it.runIf(hasPython)("is what Python finds [F-201]", () => {
    const python =
      "import time, datetime as d\nprint(time.time(), time.time_ns() / 1e9, d.datetime.now().timestamp(), d.datetime.today().timestamp(), d.datetime.now(d.timezone.utc).timestamp(), time.mktime(d.date.today().timetuple()) + 43200, time.mktime(time.localtime()), time.mktime(time.strptime(time.asctime())))";

    expect(daysOn("python3", ["-c", python])).toEqual([400, 400, 400, 400, 400, 400, 400, 400]);
    const ran =
      "import time\nat = time.time() - 400 * 86400\nold = time.clock_gettime(time.CLOCK_MONOTONIC)\nprint(at + time.monotonic() - old, at + time.monotonic_ns() / 1e9 - old, at + time.perf_counter() - old, at + time.process_time())";
    expect(daysOn("python3", ["-c", ran])).toEqual([400, 400, 400, 400]);
    const kinds =
      "import datetime as d\nprint(isinstance(d.date(2020, 1, 1), d.date) and isinstance(d.datetime.strptime('2020', '%Y'), d.date))";
    expect(
      execFileSync("python3", ["-c", kinds], { env: { ...process.env, PYTHONPATH: folder }, encoding: "utf8" }),
    ).toBe("True\n");
  });

  it.each<[string, string, boolean]>([
    ["a.js", "if (new Date() < end) price = 42;\n", true],
    ["a.js", "const at = new Date(2020, 1); Date.parse(day); day instanceof Date;\n", false],
    ["a.js", "const { now } = Date;\n", true],
    ["a.js", "const year = Date().slice(11, 15);\n", true],
    ["a.js", 'new Date(...[]); global["Date"].now();\n', true],
    ["a.js", "if (performance.timeOrigin < end) price = 42;\n", true],
    ["a.js", 'new Intl.DateTimeFormat("en").format();\n', true],
    ["a.js", "if (performance.now() < 90_000) price = 42;\n", true],
    ["a.js", "D\\u0061te.now();\n", true],
    ["a.py", "datetime.date.today()\n", true],
    ["a.py", "import time\nfrom datetime import datetime\ntime.sleep(1)\n", false],
    ["a.py", "time.monotonic()\n", true],
    ["a.py", "import os, time as t\nt.time()\n", true],
    ["a.py", "from time import time\n", true],
    ["a.py", "from datetime import datetime as d\n", true],
    ["a.py", '__import__("time").asctime()\n', true],
    ["a.sh", "d''ate +%Y\n", true],
    ["a.sh", "printf '%(%Y)T'\n", true],
    ["a.sh", 'year="$(date +%Y)"\n', true],
  ])("is for what begins to look at a clock: %s %s", (path, text, looks) => {
    expect(looksAtClock(newSurroundings(path, text, null, []))).toBe(looks);
  });

  it("is for source that looks at it once more, too [F-201]", () => {
    const before = "const at = Date.now();\n";
    const said = (text: string) => looksAtClock(newSurroundings("a.js", text, before, []));

    expect(said(`${before}price += 1;\n`)).toBe(false);
    expect(said(`${before}if (Date.now() < end) price = 42;\n`)).toBe(true);
  });
});
