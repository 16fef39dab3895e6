import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../agent/place/place.ts";
import { isForbidden } from "../../agent/process/environment.ts";
import { laterPrograms } from "../../core/trials/later.ts";

/** The folder with programs that move the clock. */
const clockFolder = ".trial-clock";

/** Writes the programs that move the clock, and returns the environment variables that activate them. */
export async function layClock(place: Place, days: number, path: string): Promise<Record<string, string>> {
  const folder = join(place.directory, clockFolder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const [name, text] of Object.entries(laterPrograms(days)))
    await writeFile(join(folder, name), text, { mode: 0o755 });
  const inside = join(place.inside, clockFolder);
  return {
    NODE_OPTIONS: `--require="${join(inside, "clock.cjs")}"`,
    PYTHONPATH: inside,
    PATH: `${inside}:${path}`,
  };
}

/** Environment variables that make test runners report each test. */
export function probe(file: string): Record<string, string> {
  const quoted = `"${file}"`;
  const reporters = [
    "--test-reporter=spec --test-reporter-destination=stdout",
    `--test-reporter=junit --test-reporter-destination=${quoted}`,
  ];
  return { NODE_OPTIONS: reporters.join(" "), PYTEST_ADDOPTS: `--junitxml=${quoted}`, GOFLAGS: "-v" };
}

/**
 * Shell lines that set variables which are removed from all children's environments (`DATABASE_URL`, `SLACK_…`). Here their values are made
 * up by a trial and not secret. Variables that control git are left out.
 */
export function exported(given: Readonly<Record<string, string>>): string {
  const names = Object.keys(given).filter((name) => isForbidden(name) && !/^(?:COS|GIT)_/.test(name));
  const lines = names.map((name) => `export ${name}='${(given[name] ?? "").replaceAll("'", `'"'"'`)}'\n`);
  return lines.join("");
}
