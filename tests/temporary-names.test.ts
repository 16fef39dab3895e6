import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./fakes/bot.ts";

/** A place that nothing isolates has a name that says nothing; a link in the data directory leads to it. */
const named = "src/agent/place/place.ts";

it("every temporary folder has a name by which it is found again when the process that made it was killed", () => {
  const files = readdirSync(join(projectDir, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("src", name));
  const made = files.flatMap((file) =>
    readFileSync(join(projectDir, file), "utf8")
      .split("\n")
      .filter((line) => /mkdtemp(?:Sync)?\(.*tmpdir\(\)/.test(line))
      .map((line) => ({ file, line: line.trim() })),
  );

  expect(made.map(({ file }) => file)).toContain(named);
  expect(made.filter(({ file, line }) => file !== named && !line.includes("temporaryNames."))).toEqual([]);
});
