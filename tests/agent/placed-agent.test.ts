import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placedAgent } from "../../src/agent/acp/placed.ts";
import { missingAgent } from "../../src/agent/acp/program.ts";
import { parseConfig } from "../../src/config.ts";

/** An agent's program that is named by a path which begins nowhere. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "placed "));
  await writeFile(join(folder, "agent.sh"), "#!/bin/sh\n");
  await writeFile(join(folder, "hook.mjs"), "");
});
afterAll(() => rm(folder, { recursive: true }));

describe("an agent's program", () => {
  it.each([
    ["command:./agent.sh --quiet 'two words'", "command:\"FOLDER/agent.sh\" --quiet 'two words'"],
    ['acp: "./agent.sh" acp', 'acp: "FOLDER/agent.sh" acp'],
    ["command:sh ./agent.sh --add ./docs", 'command:sh "FOLDER/agent.sh" --add ./docs'],
    ["acp:/bin/bash  -x 'agent.sh' acp", 'acp:/bin/bash  -x "FOLDER/agent.sh" acp'],
    ["command:bash -e ./agent.sh", 'command:bash -e "FOLDER/agent.sh"'],
    ["command:sh -eu agent.sh", 'command:sh -eu "FOLDER/agent.sh"'],
    [
      "command:node --import ./hook.mjs  -r '/a/b.js' ./agent.sh ./c",
      'command:node --import "FOLDER/hook.mjs"  -r \'/a/b.js\' "FOLDER/agent.sh" ./c',
    ],
    ["command:env -u B A=1 node ./agent.sh", 'command:env -u B A=1 node "FOLDER/agent.sh"'],
    ["acp:A=1 B=2 ./agent.sh acp", 'acp:A=1 B=2 "FOLDER/agent.sh" acp'],
    ["command:nice -n 5 timeout -k 5 1h ./agent.sh", 'command:nice -n 5 timeout -k 5 1h "FOLDER/agent.sh"'],
    [
      "command:exec env node --import ./hook.mjs ./agent.sh",
      'command:exec env node --import "FOLDER/hook.mjs" "FOLDER/agent.sh"',
    ],
  ])("%s is looked for where it was named", (agent, placed) => {
    expect(placedAgent(agent, folder)).toEqual({ type: "placed", agent: placed.replaceAll("FOLDER", folder) });
  });

  it("lies in the home folder behind ~/", () => {
    expect(placedAgent("acp:node ~/bin/agent.js x", null)).toEqual({
      type: "placed",
      agent: `acp:node ${join(homedir(), "bin/agent.js")} x`,
    });
    expect(placedAgent("command:~/bin/agent x", null)).toEqual({
      type: "placed",
      agent: `command:${join(homedir(), "bin/agent")} x`,
    });
  });

  it.each([
    "command:agent --acp",
    "acp:/opt/agent",
    "command:A=./b agent",
    "command:agent ./agent.sh",
    "command:node /opt/agent.js ./agent.sh",
    "command:sh -c './agent.sh'",
    "command:env -C /srv node ./agent.sh",
    "command:env -S 'node ./agent.sh'",
    "command:env A=./b agent ./agent.sh",
    "command:timeout 5 agent ./agent.sh",
    "command:env",
    "command:bash -ec ./agent.sh",
    "command:node -e 'go()' ./agent.sh",
    "command:ruby -we 'go' ./agent.sh",
    "command:python3 -m agent ./agent.sh",
    "acp:bun x @scope/agent acp",
    "command:$HOME/agent x",
    "agent",
    "command:",
  ])("%j stays as it is", (agent) => {
    expect(placedAgent(agent, folder)).toEqual({ type: "placed", agent });
  });

  it("is nowhere where no such file is, or where nobody knows from which folder", () => {
    expect(placedAgent("command:./other.sh", folder)).toEqual({
      type: "nowhere",
      program: "./other.sh",
      path: join(folder, "other.sh"),
    });
    expect(placedAgent("command:node bin/other.js", folder)).toMatchObject({ path: join(folder, "bin/other.js") });
    expect(placedAgent("command:node ./agent.js", null)).toMatchObject({ type: "nowhere", program: "./agent.js" });
    expect(placedAgent("acp:./agent.sh", null)).toEqual({ type: "nowhere", program: "./agent.sh", path: null });
  });

  it("is missing for a machine that knows it only by such a path", () => {
    expect(missingAgent("command:./package.json")).toBe("./package.json");
    expect(missingAgent("command:sh /nowhere/agent.sh x")).toBe("/nowhere/agent.sh");
    expect(missingAgent("command:env A=1 node /nowhere/agent.js")).toBe("/nowhere/agent.js");
    expect(missingAgent("command:sh tools/agent.sh")).toBeNull();
  });

  it("is refused as a setting, which lies in no folder", () => {
    const read = parseConfig({ COS_AGENT: "command:./agent.sh" });

    expect(read).toMatchObject({ type: "invalid" });
    expect(JSON.stringify(read)).toContain('COS_AGENT: found \\"command:./agent.sh\\"');
    expect(parseConfig({ COS_AGENT: "acp:/opt/agent acp" })).toMatchObject({ type: "ok" });
  });
});
