import { describe, expect, it } from "vitest";
import { programsOf, toolsIn } from "../../../src/core/acceptance/tools.ts";
import { hasRun } from "../../../src/core/acceptance/ran.ts";
import { placesInCommand } from "../../../src/core/files/found.ts";
import { loopPlaces } from "../../../src/core/files/loop-places.ts";
import { madeBy } from "../../../src/core/files/makefile.ts";
import { statementsOf } from "../../../src/core/shell/statements.ts";
import { startedIn } from "../../../src/core/shell/started.ts";

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  startedIn: (text) => startedIn(text, "anywhere"),
  statementsOf,
  placesInCommand,
  loopPlaces,
  toolsIn: (text) => toolsIn([text]),
  programsOf: (text) => programsOf([text]),
  hasRun: (text) => hasRun("npm test", [text]),
  "madeBy, of a command": (text) => madeBy("all:\n\tnpm test", [text]),
  "madeBy, of a makefile": (text) => madeBy(`all:\n\t${text}`, ["make"]),
};

const texts: readonly string[] = [
  `"'`,
  'echo "a\n',
  "`",
  `${"$(".repeat(190)}${")".repeat(190)}\n`,
  "$(".repeat(150),
  "$(",
  "<(a) ",
  "a <<E <<F <<G ",
  "for f in a b; do ",
  "for f in *.a; do cat $f; done; ",
  "for f in a ${f}.b;",
  "while read f; do $f.x; done; ",
  "a;",
  "eval 'eval \"a b\"' ; ",
];

describe("A text that an agent writes to hold others up", () => {
  it.each(Object.entries(readers))("is read in time that grows with it at most: %s", (_, reader) => {
    for (const length of [20_000, 100_000])
      for (const text of texts) {
        const before = process.cpuUsage().user;
        reader(text.repeat(Math.ceil(length / text.length)).slice(0, length));
        // Some ten times what it takes where nothing else runs.
        expect(process.cpuUsage().user - before, `${length} of ${text.slice(0, 40)}`).toBeLessThan(500_000);
      }
  });
});
