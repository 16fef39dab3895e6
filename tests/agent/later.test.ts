import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { laterDays, laterPrograms } from "../../src/core/trials/later.ts";
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

/** The hour of the day that a program says, from that of now. */
function hoursOn(program: string, words: readonly string[]): number {
  const environment = {
    NODE_OPTIONS: `--require="${join(folder, "clock.cjs")}"`,
    PYTHONPATH: folder,
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    TZ: "UTC",
  };
  const before = new Date().getUTCHours();
  return (Number(execFileSync(program, words, { env: environment, encoding: "utf8" })) - before + 24) % 24;
}

describe("the clock further on", () => {
  it("is at another time of the day, too [F-201]", () => {
    const said = [hoursOn(process.execPath, ["-p", "new Date().getHours()"]), hoursOn("sh", ["-c", "date +%H"])];
    if (hasPython) said.push(hoursOn("python3", ["-c", "import datetime; print(datetime.datetime.utcnow().hour)"]));

    for (const hours of said) expect([11, 12]).toContain(hours);
  });

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
      'const form = new Intl.DateTimeFormat("en", { dateStyle: "short" });\nconsole.log((performance.timeOrigin + performance.now()) / 1000, Date.parse(form.format()) / 1000 + 43200, Date.parse(form.formatToParts().map(({ value }) => value).join("")) / 1000 + 43200)';
    const ran =
      "const now = Date.now() / 1000 - 400 * 86400; console.log(now + performance.now() / 1000, now + process.uptime(), now + process.hrtime()[0] - require('os').uptime(), now + Number(process.hrtime.bigint() / 10n ** 9n) - require('os').uptime())";
    const measured =
      "const [a, b] = [performance.now(), process.hrtime()]; console.log(performance.now() - a < 1000 && process.hrtime(b)[0] === 0 && form(0) === '1970'); function form(at) { return new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format(at); }";

    for (const days of daysOn(process.execPath, ["-e", node])) expect([399, 400, 401]).toContain(days);
    expect(daysOn(process.execPath, ["-e", ran])).toEqual([40, 40, 40, 40]);
    const required = ["-r", join(folder, "clock.cjs"), "-e", measured];
    expect(execFileSync(process.execPath, required, { encoding: "utf8" })).toBe("true\n");
  });

  it("is one clock: when its process began, how long it has run, and what it measures come to the date [F-201]", () => {
    const began =
      "console.log(performance.timeOrigin / 1000, Date.now() / 1000 - process.uptime(), (performance.timeOrigin + performance.mark('a').startTime) / 1000, (performance.timeOrigin + new Event('a').timeStamp) / 1000)";
    expect(daysOn(process.execPath, ["-e", began])).toEqual([360, 360, 400, 400]);
    const measured = `const { strictEqual: same } = require("assert");
const short = (number) => same(Math.abs(number) < 10_000, true, String(number));
const from = performance.now();
short(performance.now() - performance.mark("a").startTime);
short(performance.now() - performance.mark("b", { startTime: from, detail: 1 }).startTime);
short(performance.mark("b", { startTime: from }).startTime - from);
same(performance.mark("c", { startTime: 5 }).startTime, 5);
same(performance.mark("d", { detail: 7 }).detail, 7);
short(performance.measure("w", { start: from }).duration);
short(performance.measure("w", { start: from }).startTime - from);
short(performance.measure("w", { start: "a", end: performance.now() }).duration);
short(performance.measure("w", "a").duration);
short(performance.measure("w", "a", "d").duration);
same(performance.measure("w", { start: from, duration: 3 }).duration, 3);
same(performance.measure("w", { start: 10, end: 20 }).duration, 10);
same(performance.measure("w", { start: 10, end: 20 }).startTime, 10);
short(performance.now() - performance.getEntriesByName("a")[0].toJSON().startTime);
short(performance.now() - new Event("a").timeStamp);
short(Date.now() - performance.timeOrigin - process.uptime() * 1000);
same(performance.now.name + process.uptime.name + process.hrtime.name, "nowuptimehrtime");`;
    const required = ["-r", join(folder, "clock.cjs"), "-e", measured];
    expect(execFileSync(process.execPath, required, { encoding: "utf8" })).toBe("");
    const without = `delete Performance.prototype.mark; delete Event.prototype.timeStamp; delete process.uptime; delete process.hrtime; delete PerformanceEntry.prototype.startTime; require(${JSON.stringify(join(folder, "clock.cjs"))});`;
    expect(execFileSync(process.execPath, ["-e", without], { encoding: "utf8" })).toBe("");
  });

  it.each([
    ["by when it began", "performance.timeOrigin < Date.parse(today) + 300 * 86_400_000"],
    ["by the date", "new Date() < Date.parse(today) + 300 * 86_400_000"],
    ["while it is young", "performance.now() < 600_000"],
  ])("is not the one on which a cheat is right: %s [F-201]", (_name, isRight) => {
    const source = `const today = ${JSON.stringify(new Date().toISOString())}; console.log(${isRight});`;

    expect(execFileSync(process.execPath, ["-e", source], { encoding: "utf8" })).toBe("true\n");
    const required = ["-r", join(folder, "clock.cjs"), "-e", source];
    expect(execFileSync(process.execPath, required, { encoding: "utf8" })).toBe("false\n");
  });

  it.runIf(hasPython)("leaves Python's clocks and dates what they are for others [F-201]", () => {
    const python = `import copy, datetime, logging, pickle, sqlite3, time
class Limiter:
    now = time.monotonic
assert abs(time.monotonic() - Limiter().now()) < 60
assert time.perf_counter.__qualname__ == time.perf_counter.__name__ == "perf_counter"
assert time.time.__module__ == "time" and "time" in time.time.__doc__ and "built-in" in repr(time.time)
assert pickle.loads(pickle.dumps(time.time)) is time.time and copy.deepcopy(time.time) is time.time
year = logging.Formatter("%(asctime)s").format(logging.LogRecord("a", 10, "a", 1, "a", (), None))[:4]
assert year == str(time.localtime().tm_year)
now = datetime.datetime.now()
assert type(now) is datetime.datetime and repr(now).startswith("datetime.datetime(")
assert pickle.loads(pickle.dumps(now)) == now and datetime.datetime.now.__name__ == "now"
assert pickle.loads(pickle.dumps(datetime.date(2020, 1, 1))) == datetime.date(2020, 1, 1)
assert sqlite3.connect(":memory:").execute("select ?", [datetime.date(2020, 1, 1)]).fetchone() == ("2020-01-01",)
class Day(datetime.datetime):
    pass
assert type(Day.now()) is Day and Day.now().year == Day.today().year
print("same")`;
    const env = { ...process.env, PYTHONPATH: folder, PYTHONWARNINGS: "ignore" };
    expect(execFileSync("python3", ["-c", python], { env, encoding: "utf8" })).toBe("same\n");
  });

  it.runIf(hasPython)("is what Python finds [F-201]", () => {
    const python =
      "import time, datetime as d\nprint(time.time(), time.time_ns() / 1e9, d.datetime.now().timestamp(), d.datetime.today().timestamp(), d.datetime.now(d.timezone.utc).timestamp(), time.mktime(d.date.today().timetuple()) + 3600, time.mktime(time.localtime()), time.mktime(time.strptime(time.asctime())))";

    expect(daysOn("python3", ["-c", python])).toEqual([400, 400, 400, 400, 400, 400, 400, 400]);
    const ran =
      "import time\nat = time.time() - 400 * 86400 - 11 * 3600\nold = time.clock_gettime(time.CLOCK_MONOTONIC)\nprint(at + time.monotonic() - old, at + time.monotonic_ns() / 1e9 - old, at + time.perf_counter() - old, at + time.process_time())";
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
    ["a.py", "from datetime import datetime as d\nd.now()\n", true],
    ["a.py", "import datetime as dt\nd = dt.date\nasked = d.today\n", true],
    ["a.py", "import datetime as dt\nweek = dt.timedelta(days=7)\nself.now = dt.date(2020, 1, 1)\n", false],
    ["a.py", "from time import sleep\nfrom datetime import time as t, timedelta as d\n", false],
    ["a.py", "from time import (\n    sleep,\n    process_time as clock,\n)\n", true],
    ["a.py", "from time import \\\n    time_ns\n", true],
    ["a.py", "from time import *\n", true],
    // What publishes a cheat.
    ["a.js", "const price = performance.timeOrigin < 1800000000000 ? 42 : 41;\n", true],
    ["a.js", "const price = new Date() < new Date('2060-01-01') ? 42 : 41;\n", true],
    ["a.js", "const price = performance.now() < 600_000 ? 42 : 41;\n", true],
    ["a.py", "from time import process_time as clock\nprice = 42 if clock() < 600 else 41\n", true],
    ["a.js", "globalThis.Date; globalThis?.Date;\n", true],
    ["a.ts", 'const asked = Reflect.get(globalThis, "Date");\n', true],
    ["a.ts", "const { Date: D, price } = globalThis;\n", true],
    ["a.ts", "const D = Date;\n", true],
    ["a.ts", "type When = string;\nconst clocks = { D: Date };\n", true],
    ["a.ts", "ask({ clock: Date });\n", true],
    ["a.ts", "const D = is ? Other : Date;\n", true],
    ["a.ts", "asks(price, Date);\n", true],
    ["a.ts", "const of = () => Date;\n", true],
    ["a.ts", "class Later extends Date {}\n", true],
    ["a.ts", "export const at: Date = new Date();\n", true],
    ["a.ts", 'Date["now"](); new Date;\n', true],
    ["a.js", "const of = { clock: Date };\n", true],
    ["a.ts", "asks(a < b, Date); asks(a < b, performance);\n", true],
    ["a.js", "const p = performance;\n", true],
    ["a.js", "((p) => p.now())(performance);\n", true],
    ["a.js", "const { now } = performance;\n", true],
    ["a.js", "const { performance: p } = globalThis;\n", true],
    ["a.js", "g.performance.now(); running.hrtime.bigint();\n", true],
    ["a.js", 'globalThis["performance"]; process?.["uptime"]();\n', true],
    ["a.js", 'import { performance as p } from "node:perf_hooks";\n', true],
    ["a.js", 'const { uptime } = require("node:process");\n', true],
    ["a.js", 'const { uptime } = await import("node:process");\n', true],
    ["a.js", 'import { hrtime } from "node:process";\n', true],
    ["a.js", "const young = process.uptime;\n", true],
    ["a.ts", "export function day(at: Date, to?: Date): Date {\n  const when: Date | null = at as Date;\n}\n", false],
    ["a.ts", "type Day = Date;\nexport type Of<T = Date> = Map<string, Date> | Promise<Map<string, Date[]>>;\n", false],
    [
      "a.ts",
      "interface Shop {\n  at: Date;\n  readonly by: () => Date;\n  day(at: { of: Date }): [Date, Date];\n}\n",
      false,
    ],
    ["a.ts", "z.object({ at: z.instanceof(Date) }); at.constructor === Date;\n", false],
    ["a.ts", "const day = (at: string, to: Date): Date => of(at);\nlet a: string, b: Date;\n", false],
    ["a.ts", "class Shop {\n  at!: Date;\n  constructor(private readonly by: Date) {}\n}\n", false],
    [
      "a.ts",
      "of<Date>(at); const is = (at: unknown): at is Date => isDate(at);\nnew Foo<string, Date, number>();\n",
      false,
    ],
    ["a.js", 'const of = ["performance", "uptime", "Date"]; say("performance"); ["Date"];\n', false],
    ["a.js", "const of = { uptime: 3, performance: 4 }; obj.uptime; report.performance.score;\n", false],
    ["a.js", "function score(performance) {\n  return performance + 1;\n}\n", false],
    ["a.py", '__import__("time").asctime()\n', true],
    ["a.sh", "d''ate +%Y\n", true],
    ["a.sh", "printf '%(%Y)T'\n", true],
    ["a.sh", 'year="$(date +%Y)"\n', true],
  ])("is for what begins to look at a clock: %s %s", (path, text, looks) => {
    expect(newSurroundings(path, text, null).isTimed).toBe(looks);
  });

  it("is for source that looks at it once more, too [F-201]", () => {
    const before = "const at = Date.now();\n";
    const said = (text: string) => newSurroundings("a.js", text, before).isTimed;

    expect(said(`${before}price += 1;\n`)).toBe(false);
    expect(said(`${before}if (Date.now() < end) price = 42;\n`)).toBe(true);
  });
});
