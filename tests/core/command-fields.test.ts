import { describe, expect, it } from "vitest";
import { type Caller, command, done, type ReadyCall, UsageError } from "../../src/commands/command.ts";
import * as fields from "../../src/commands/fields.ts";
import { commands } from "../../src/commands/index.ts";
import { parseGiven } from "../../src/commands/parse.ts";
import { helpOf, usageLine, usageOf } from "../../src/commands/usage.ts";
import { confirmationCard } from "../../src/core/cards/lists.ts";
import type { Deps } from "../../src/deps.ts";

const everything = command({
  name: "try",
  summary: "Takes one of each.",
  access: "read",
  positionals: { id: fields.questionId(), more: fields.restOfLine("what else there is").optional() },
  options: {
    budget: fields.usd("the most it may cost").optional(),
    dayCount: fields.wholeNumber("how many days", 1, 9).optional(),
    kind: fields.choice("K", ["Big", "small"], "which").optional(),
    at: fields.moment("TIME", "when").optional(),
    tag: fields.name("T", "a tag").array(),
    file: fields.localFile("FILE", "where", "path").optional(),
    now: fields.flag("at once"),
  },
  run: async (_deps, _caller, values) => done(values, confirmationCard("tried")),
});

/** What the command is given; nothing of the world is looked at. */
async function valuesOf(call: ReadyCall): Promise<unknown> {
  const result = await call.run({} as Deps, {} as Caller);
  return result.type === "done" ? result.value : result;
}

const typed = (...words: string[]) => valuesOf(everything.asked(parseGiven(everything, words)));
const nothing = { more: undefined, budget: undefined, dayCount: undefined, kind: undefined, at: undefined };

describe("what a command declares", () => {
  it("is what it gets, read in the words that somebody typed", async () => {
    const words = ["--budget", "$7.50", "--day-count=3", "--kind", "BIG", "--at", "2026-01-26T09:00:00Z"];

    expect(await typed("cp-1a2b3c4d.2", "--tag", "a", "and", "more", "--tag=b", "--now", ...words)).toEqual({
      id: { checkpointId: "cp-1a2b3c4d", version: 2 },
      more: "and more",
      budget: 7_500_000,
      dayCount: 3,
      kind: "Big",
      at: new Date("2026-01-26T09:00:00Z"),
      tag: ["a", "b"],
      file: undefined,
      now: true,
    });
  });

  it("is got by either name of an option, once", async () => {
    for (const words of [["--file", "a"], ["--path", "a"], ["--path=a"], ["—path", "a"]])
      expect(await typed("cp-1a2b3c4d", ...words)).toMatchObject({ file: "a" });
    await expect(async () => await typed("cp-1a2b3c4d", "--path", "a", "--file", "b")).rejects.toThrow(
      new UsageError("--file is given more than once", "file"),
    );
  });

  it("is the same without the options that are left away, in words and in values", async () => {
    const id = { checkpointId: "cp-1a2b3c4d", version: null };
    const absent = { ...nothing, id, tag: [], file: undefined, now: false };

    expect(await typed("cp-1a2b3c4d")).toEqual(absent);
    expect(await valuesOf(everything.with({ id }))).toEqual(absent);
  });

  it.each([
    ["7.50", 7_500_000],
    ["7,50", 7_500_000],
    ["$7,5", 7_500_000],
  ])("reads the amount %s", async (word, budget) => {
    expect(await typed("cp-1a2b3c4d", "--budget", word)).toMatchObject({ budget });
  });

  it.each([
    [["--budget", "much"], '--budget: found "much", expected a number from 0.01 to 1000000'],
    [["--budget", "0"], '--budget: found "0", expected a number from 0.01 to 1000000'],
    [["--budget", "1,000"], '--budget: found "1,000", expected a number from 0.01 to 1000000'],
    [["--day-count", "2.5"], '--day-count: found "2.5", expected a whole number from 1 to 9'],
    [["--kind", "huge"], '--kind: found "huge", expected one of Big, small'],
    [["--at", "soon"], '--at: found "soon", expected a time'],
    [["--tag", "a", "--tag", "b\u0000"], "--tag: holds a NUL character"],
    [["--file", "a", "--file", "b"], "--file is given more than once"],
  ])("refuses %j with what was found and what is expected", async (words, reason) => {
    const refused = (async () => await typed("cp-1a2b3c4d", ...words))();

    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toMatchObject({ message: reason, option: words[0]?.slice(2) });
  });

  it("makes its usage and its help", () => {
    expect(usageOf(everything)).toBe(
      "cos try ID [MORE] [--budget USD] [--day-count N] [--kind K] [--at TIME] [--tag T]… [--file FILE] [--now]",
    );
    expect(helpOf(everything)).toContain("  --day-count N  how many days");
    expect(helpOf(everything)).toContain("  --now          at once");
    expect(helpOf(everything)).toContain("  MORE           what else there is");
    expect(helpOf(everything).join("\n")).not.toMatch(/^ {2}ID/m);
  });

  it("says which option names a file of the machine", () => {
    expect(everything.asked(parseGiven(everything, ["x", "--file", "a"])).localOption).toBe("--file");
    expect(everything.asked(parseGiven(everything, ["x"])).localOption).toBeNull();
  });

  it("is checked by the compiler: a misspelled option, a missing positional and a wrong type do not compile", () => {
    const id = { checkpointId: "cp-1a2b3c4d", version: 1 };
    // @ts-expect-error: it is called dayCount
    everything.with({ id, days: 3 });
    // @ts-expect-error: the positional is missing
    everything.with({ now: true });
    // @ts-expect-error: money is a number
    everything.with({ id, budget: "7.50" });
    const wrong = command({
      name: "wrong",
      summary: "",
      access: "read",
      options: { now: fields.flag("at once") },
      // @ts-expect-error: it is called now
      run: async (_deps, _caller, { soon }) => done(soon, confirmationCard("")),
    });

    expect(wrong.options.map((each) => each.label)).toEqual(["--now"]);
  });

  it("of the registry has a description for every option, and a name that is free", () => {
    const options = commands.flatMap((each) => each.options);

    expect(options.filter((each) => each.description === "").map((each) => each.label)).toEqual([]);
    expect(options.filter((each) => ["--json", "--help"].includes(each.label))).toEqual([]);
    expect(new Set(commands.map((each) => each.name)).size).toBe(commands.length);
  });
});

it.each(commands.map((each) => [each.name, each] as const))(
  "what is wrong with cos %s is not lost in how it is used",
  (name, each) => {
    const line = usageLine(each);

    expect(line.length).toBeLessThanOrEqual(110);
    expect([`usage: ${usageOf(each)}`, `next: cos ${name} --help`]).toContain(line);
  },
);
