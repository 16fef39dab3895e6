import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDir } from "./bot.ts";
import type { TestWorld } from "./deps.ts";
import { makeRepository } from "./repository.ts";

/** What the scripted agent does for a prompt in which all words of `match` occur; the first that fits counts. */
export interface Script {
  readonly match?: readonly string[];
  readonly steps: readonly object[];
}

/** The command line of a scripted agent (examples/scripted-agent) that reads `scripts.json` of the folder at every prompt. */
export async function scriptedAgent(folder: string, scripts: readonly Script[]): Promise<string> {
  const file = join(folder, "scripts.json");
  await writeFile(file, JSON.stringify(scripts.map(({ match = [], steps }) => ({ match, steps }))));
  return `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
}

/** Makes a repository known whose goals a scripted agent works; returns its path. */
export async function agentRepository(
  world: Pick<TestWorld, "dataDir" | "command">,
  scripts: readonly Script[],
  files: Readonly<Record<string, string>> = { "a.txt": "a\n" },
): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "person"), files);
  const agent = await scriptedAgent(world.dataDir, scripts);
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  return path;
}

/** Writes a file and says so. */
export function writes(path: string, content: string): Script {
  return { steps: [{ write: { path, content } }, { say: "Done." }] };
}

/** Ends as an agent does that ran out of tokens. */
export function fails(words: string): Script {
  return { steps: [{ say: words }, { stop: "max_tokens" }] };
}

/** Does what the three prompts of `cos agent test` ask. */
export const working: readonly Script[] = [
  {
    match: ["no real task"],
    steps: [
      { write: { path: "hello.txt", content: "hello\n" }, costUsd: 0.02 },
      { permission: { title: "Ask", command: "echo asked > asked.txt && true" } },
    ],
  },
  { match: ["Use no tool"], steps: [{ say: "hello", costUsd: 0.001 }] },
  { match: ["wait for its end"], steps: [{ run: "sleep 300" }] },
];
