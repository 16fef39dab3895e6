import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitResult } from "./git.ts";
import { objectFormatIn } from "./object-format.ts";

/** Line-based files of a mirror. One malformed line in them, written by an agent, makes every git command fail. */
const files = [
  {
    name: "packed-refs",
    isMeant: /^fatal: (?:un(?:expected|terminated) line in .*packed-refs|packed refname is dangerous)/m,
    // Without the first line, which says how the file is sorted, git assumes no order. The line after a tag, which names its target, is
    // optional.
    line: /^([0-9a-f]+) refs(?:\/(?!\.)(?:(?!\.\.)[^\s/~^:?*[\\])+)+$/,
  },
  { name: "shallow", isMeant: /^fatal: bad shallow line/m, line: /^([0-9a-f]+)$/ },
];

/** Runs git on a mirror. When git stops at such a file, malformed lines are removed, and the command is repeated. */
export async function pastBrokenFiles(mirrorDir: string, run: () => Promise<GitResult>): Promise<GitResult> {
  let result = await run();
  for (const { name, isMeant, line } of files) {
    if (result.type === "ok" || !isMeant.test(result.stderr)) continue;
    await keepLines(join(mirrorDir, name), line, await lengthOfNames(mirrorDir));
    result = await run();
  }
  return result;
}

/** Length of object names: git reads a name of another length as no name. */
async function lengthOfNames(mirrorDir: string): Promise<number> {
  const config = await readFile(join(mirrorDir, "config"), "utf8").catch(() => "");
  return objectFormatIn(config) === "sha256" ? 64 : 40;
}

async function keepLines(path: string, form: RegExp, length: number): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => form.exec(line)?.[1]?.length === length);
  if (lines.length === 0) return await rm(path, { force: true });
  const fresh = `${path}.${process.pid}.${performance.now()}`;
  await writeFile(fresh, lines.map((line) => `${line}\n`).join(""));
  await rename(fresh, path);
}
