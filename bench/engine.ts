import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { execute } from "../src/commands/execute.ts";
import { commands } from "../src/commands/index.ts";
import { findCommand, parseGiven } from "../src/commands/parse.ts";
import type { Deps } from "../src/deps.ts";

/** What the benches do with the engine in their own process. */

/** Calls a command as the terminal does; its value. Throws when it is refused. */
export async function call(deps: Deps, ...words: string[]): Promise<unknown> {
  const found = findCommand(commands, words);
  if (found === null) throw new Error(`no command: ${words.join(" ")}`);
  const origin = { type: "person", by: { type: "terminal" } } as const;
  const caller = { actor: "bench", via: "terminal", member: null, origin } as const;
  const result = await execute(deps, caller, found.command.asked(parseGiven(found.command, found.rest)));
  if (result.type === "refused") throw new Error(`${words.join(" ")}: ${result.reason}`);
  return result.value;
}

const run = promisify(execFile);

/** A git repository on branch main with these files in one commit. */
export async function makeRepository(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: path });
  await run("git", ["add", "--all"], { cwd: path });
  await run("git", [...identity, "commit", "--quiet", "--message", "Start"], { cwd: path });
}
