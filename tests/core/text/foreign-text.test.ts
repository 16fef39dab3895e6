import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { nastyForAll, nastyText, type Reader, readers, shapesForAll } from "./readers.ts";

/**
 * Every reader of text that others wrote, held to what it promises: an answer, never a crash, in time that grows as the
 * text does. CPU of this process is compared, not the clock: how fast the machine is does not matter.
 */

const isFull = process.env["COS_TEST_FULL"] === "1";

/** Below this, noise decides. */
const floorMs = 40;

/** The most that any text may cost, at the limit too. A machine would have to be ten times slower to reach it by chance. */
const capMs = 10_000;

interface Measured {
  readonly what: string;
  readonly length: number;
  readonly ms: number;
}

const slowest: { found: Measured } = { found: { what: "nothing", length: 0, ms: 0 } };
const table: string[] = [];

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function measure(reader: Reader, what: string, text: string): number {
  const ms = cpuMs(() => reader.read(text));
  if (ms > slowest.found.ms) slowest.found = { what: `${reader.name}, ${what}`, length: text.length, ms };
  return ms;
}

function best(reader: Reader, what: string, text: string, times: number): number {
  return Math.min(...Array.from({ length: times }, () => measure(reader, what, text)));
}

type Make = (length: number) => string;

/** Which half of the texts for all readers comes first; each commit has its own. */
const half = Number.parseInt(process.env["COS_TEST_SEED"]?.at(-1) ?? "0", 16) % 2;

/**
 * The reader's own texts, and those for all: in the short run blanks, and of the others every second one. Two readers that follow each
 * other share them, and so do two commits.
 */
function textsFor(reader: Reader): [string, Make][] {
  const turn = readers.indexOf(reader) + half;
  const forAll = nastyForAll.filter(
    ([start, again, end], index) => isFull || `${start}${again}${end}`.includes(" ") || (index + turn) % 2 === 0,
  );
  const made = [...(reader.nasty ?? []), ...forAll].map((nasty): [string, Make] => [
    JSON.stringify(nasty.map((each) => each.slice(0, 20))),
    (length) => nastyText(nasty, length),
  ]);
  return [...made, ...Object.entries({ ...shapesForAll, ...reader.shapes })];
}

/** Linear: four times the CPU; quadratic: sixteen times. Half way between them, so that a garbage collection decides nothing. */
const mostGrowth = 8;

/**
 * How much more CPU four times the text costs; measured again while it looks like more than it should be, with pauses:
 * the CPU of a process is also that of the engine's own threads, and one of them at work lasts for several measures.
 */
async function growth(
  reader: Reader,
  [what, make]: [string, Make],
  length: number,
): Promise<{ ms: number; fourMs: number }> {
  const [one, four] = [make(length), make(length * 4)];
  let fourMs = measure(reader, what, four);
  if (fourMs < floorMs) return { ms: floorMs, fourMs };
  let ms = best(reader, what, one, 2);
  for (let more = 0; more < 20 && isTooMuch(ms, fourMs); more += 1) {
    await setTimeout(50);
    fourMs = Math.min(fourMs, measure(reader, what, four));
    ms = Math.max(ms, measure(reader, what, one));
  }
  if (!isTooMuch(ms, fourMs)) return { ms, fourMs };
  // A step between them, as of memory that is asked for, is no growth: behind it four times the text costs four times as much.
  // Where that costs less, it was refused, and says nothing.
  const sixteenMs = best(reader, what, make(length * 16), 2);
  return sixteenMs < fourMs ? { ms, fourMs } : { ms: fourMs, fourMs: sixteenMs };
}

function isTooMuch(ms: number, fourMs: number): boolean {
  return fourMs >= mostGrowth * Math.max(ms, floorMs / mostGrowth);
}

afterAll(() => {
  const { what, length, ms } = slowest.found;
  process.stdout.write(`${table.join("\n")}\nslowest: ${what}, ${length} characters, ${ms.toFixed(0)} ms of CPU\n`);
});

describe("four times the text costs less than eight times the CPU", () => {
  it.each(readers.map((reader) => [reader.name, reader] as const))(
    "%s [F-107, F-108, F-109]",
    async (_name, reader) => {
      const length = Math.floor(Math.min(reader.limit, isFull ? 200_000 : 24_000) / 4);
      let worst = { what: "", ms: 0, fourMs: 0 };
      const tooSlow: string[] = [];
      for (const text of textsFor(reader)) {
        const { ms, fourMs } = await growth(reader, text, length);
        if (fourMs > worst.fourMs) worst = { what: text[0], ms, fourMs };
        if (isTooMuch(ms, fourMs) || fourMs > capMs)
          tooSlow.push(`${text[0]}: ${ms.toFixed(0)} ms, then ${fourMs.toFixed(0)} ms`);
      }
      table.push(
        `${worst.ms.toFixed(0).padStart(6)} ms ${worst.fourMs.toFixed(0).padStart(6)} ms  ${length}, ${length * 4}  ${reader.name}: ${worst.what}`,
      );

      expect(tooSlow).toEqual([]);
    },
  );
});

it("a reply of very many lines that decide costs as its length does: sixteen times the text less than forty times the CPU", () => {
  const reply = readers.find(({ name }) => name === "a reply, compileReply");
  if (reply === undefined) throw new Error("no such reader");
  best(reply, "first", "y\n".repeat(1_250), 3);
  const ms = best(reply, "few lines", "y\n".repeat(1_250), 9);

  expect(best(reply, "many lines", "y\n".repeat(20_000), 3)).toBeLessThan(40 * Math.max(ms, 1));
});

/** The limit and far beyond it; a short run stays below limits of more than a few pages, and goes beyond those that are refused at once. */
function lengths(limit: number): readonly number[] {
  if (isFull) return [limit, limit * (limit >= 200_000 ? 1.5 : 4)];
  return limit > 100_000 ? [20_000] : [Math.min(limit, 20_000), limit * 4];
}

describe("at its limit and far beyond it", () => {
  it.each(readers.map((reader) => [reader.name, reader] as const))("%s answers [F-109]", (_name, reader) => {
    const texts = reader.nasty ?? [];
    for (const nasty of [...texts, ["", "- a\n", ""], ["", "a", ""]] as const) {
      for (const length of lengths(reader.limit)) {
        expect(measure(reader, JSON.stringify(nasty), nastyText(nasty, length))).toBeLessThan(capMs);
      }
    }
  });
});

describe("whatever is written", () => {
  const pieces = [...nastyForAll.flat(), ...readers.flatMap((reader) => (reader.nasty ?? []).flat())];
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...new Set(pieces)) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "method: bash\n",
        "#### AC-1: a\n",
        "**Verification**:\n",
        "tasks:\n",
        "goals:\n",
        "  ",
      ),
    },
  );
  const text = fc
    .array(
      fc.tuple(piece, fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(4_000) })),
      {
        maxLength: 40,
      },
    )
    .map((parts) =>
      parts
        .map(([each, times]) => each.repeat(times))
        .join("")
        .slice(0, isFull ? 200_000 : 20_000),
    );

  it.each(readers.map((reader) => [reader.name, reader] as const))(
    "%s answers, and names lines that are there [F-109]",
    (_name, reader) => {
      fc.assert(
        fc.property(text, (written) => {
          const clamped = written.slice(0, reader.limit);
          let result: unknown;
          const ms = cpuMs(() => {
            result = reader.read(clamped);
          });
          if (ms > slowest.found.ms) slowest.found = { what: `${reader.name}, by chance`, length: clamped.length, ms };
          expect(ms).toBeLessThan(capMs);
          const lines = clamped.split(/\r\n|\r|\n/).length + 5;
          for (const line of reader.linesNamed?.(result) ?? []) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(lines);
          }
        }),
        { numRuns: isFull ? 80 : 25 },
      );
    },
  );
});
