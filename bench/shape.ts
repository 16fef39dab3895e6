import { type Column, columnsOfGoal } from "./shape/columns.ts";
import type { Written } from "./shape/functions.ts";
import { cyclesOf, graphOfFiles, type Rooms, roomsOf } from "./shape/imports.ts";
import { sharedNames, typesInIng } from "./shape/names.ts";
import { longestFile, longestFunction, mostParameters, percentile, type Sizes, sizesOf } from "./shape/sizes.ts";
import { readSources, type Source } from "./shape/source.ts";
import { takeWalks, type Walks } from "./shape/walks.ts";
import { readOptions } from "./options.ts";

/**
 * The shape of `src` and `jobs` in numbers: `npm run shape`, with `--details` and `--json`. Everything is read from the files but
 * the two walks, which are taken on an embedded PostgreSQL.
 */
interface Shape extends Sizes {
  readonly cycles: readonly (readonly string[])[];
  readonly sharedNames: readonly string[];
  readonly typesInIng: readonly string[];
  readonly rooms: Rooms;
  readonly columns: { readonly count: number; readonly p90: number; readonly most: readonly Column[] };
  readonly walks: Walks;
}

const options = readOptions(
  "npm run shape",
  { json: "print everything as JSON", details: "name every finding, not only how many" },
  {},
);

function measure(sources: readonly Source[], walks: Walks): Shape {
  const columns = columnsOfGoal(sources);
  const filesEach = columns.map(({ files }) => files.length);
  return {
    ...sizesOf(sources),
    cycles: cyclesOf(graphOfFiles(sources)),
    sharedNames: sharedNames(sources),
    typesInIng: typesInIng(sources),
    rooms: roomsOf(sources),
    columns: { count: columns.length, p90: percentile(filesEach, 90), most: columns.slice(0, 12) },
    walks,
  };
}

function lines(shape: Shape): string[] {
  const { functions, rooms, columns, walks } = shape;
  const written = ({ at, name, lines, parameters }: Written) =>
    `${at} ${name}: ${lines} lines, ${parameters} parameters`;
  return [
    line("files", shape.files, "", []),
    line(
      "functions",
      functions.count,
      `median ${functions.median}, p90 ${functions.p90}, longest ${functions.longest} lines`,
      [],
    ),
    line(`functions over ${longestFunction} lines`, functions.tooLong.length, "0", functions.tooLong.map(written)),
    line(
      `over ${mostParameters} parameters`,
      functions.manyParameters.length,
      "0",
      functions.manyParameters.map(written),
    ),
    line(`files over ${longestFile} lines`, shape.longFiles.length, "0", shape.longFiles),
    line("any", shape.anys.length, "0", shape.anys),
    line("non-null !", shape.nonNulls.length, "0", shape.nonNulls),
    line(
      "import cycles",
      shape.cycles.length,
      "0",
      shape.cycles.map((cycle) => cycle.join(", ")),
    ),
    line("names said of several", shape.sharedNames.length, "0", shape.sharedNames),
    line("types in -ing", shape.typesInIng.length, "0", shape.typesInIng),
    line("rooms", rooms.rooms, "", []),
    line("arrows between rooms", rooms.arrows, "", []),
    line(
      "floors",
      rooms.floors,
      "",
      rooms.circles.map((circle) => `in a circle: ${circle.join(", ")}`),
    ),
    line(
      "files a column (p90)",
      columns.p90,
      "5",
      columns.most.map(({ name, files }) => `${name}: ${files.length} files`),
    ),
    line("files of a click", walks.click.length, "6", walks.click),
    line("files of a goal", walks.goal.length, "25", walks.goal),
  ].flat();
}

/** A number with what is aimed at, and below it what it counts when that was asked for. */
function line(name: string, value: number, remark: string, found: readonly string[]): string[] {
  const aim = /^\d+$/.test(remark) ? `aim ${remark}` : remark;
  const head = `${name.padEnd(26)}${String(value).padStart(6)}  ${aim}`.trimEnd();
  return options.details ? [head, ...found.map((each) => `    ${each}`)] : [head];
}

const shape = measure(readSources(), await takeWalks());
process.stdout.write(options.json ? `${JSON.stringify(shape)}\n` : `${lines(shape).join("\n")}\n`);
