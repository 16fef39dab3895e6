import { expect, it } from "vitest";
import { helloTo } from "../../src/agent/acp/hello.ts";

it.each([
  [["opencode", "acp"], true],
  [["/opt/agents/bin/qwen", "--acp"], true],
  [["/opt/agents/bin/gemini", "--acp"], false],
  [["npx", "-y", "@google/gemini-cli@0.61.0", "--acp"], false],
  [["/opt/agents/.pnpm/@google+gemini-cli@0.61.0/bin/gemini", "--acp"], false],
  [["node", "tap.mjs", "kept.jsonl", "--", "/opt/agents/bin/gemini", "--acp"], false],
])(
  "%j is told whether we read files for it: one that misreads the answer for a file that is not there reads by itself",
  (line, reads) => {
    const { clientCapabilities } = helloTo(line);

    expect(clientCapabilities?.fs).toEqual({ readTextFile: reads, writeTextFile: true });
  },
);
