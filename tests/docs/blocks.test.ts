import { describe, expect, it } from "vitest";
import { callOf } from "../../src/commands/line.ts";
import { parseConfig } from "../../src/config.ts";
import { parseSpec } from "../../src/core/acceptance/spec.ts";
import { parsePlanFile } from "../../src/core/campaigns/outline.ts";
import { parseGoalEntry } from "../../src/core/goals/new-goal.ts";
import { readYaml } from "../../src/core/text/yaml.ts";
import { defaultPolicy } from "../../src/core/policy.ts";
import { parseTasks } from "../../src/core/task-loop/tasks.ts";
import { readWords } from "../../src/core/text/words.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type Block, blocksOf, pagePaths } from "./markdown.ts";

/** What pages show to be typed or written is taken by what reads it (F-505). The README's own steps are walked in readme.test.ts. */

/** Programs of the clone that are not in the registry. */
const ownPrograms = /^(?:done|stop-hook|worklog-hook|verify|init|backup|restore)(?: |$)/;

function problemOfCall(call: string): string | null {
  if (ownPrograms.test(call)) return null;
  const read = readWords(call);
  if (read.type === "wrong") return read.problem;
  const meant = callOf(read.words);
  if (meant.type === "unknown") return `no command: ${meant.words}`;
  return meant.type === "wrong" ? `${meant.problem} (${meant.next})` : null;
}

/** A line of a terminal; null when it can be typed. */
function problemOfLine(line: string): string | null {
  const typed = line.replace(/\s+#.*$/, "").trim();
  const [, script] = /^npm (?:run )?([\w:]+)/.exec(typed.replace(/^(?:[A-Z_]+=(?:'[^']*'|\S*) )+/, "")) ?? [];
  if (script !== undefined) return script in packageJson.scripts ? null : `no script ${script}`;
  const [, call] = /^(?:npx )?cos (.+)$/.exec(typed) ?? [];
  if (call !== undefined) return problemOfCall(call);
  return /^(?:git|docker compose|tar|sha256sum|printf) /.test(typed) ? null : "neither npm, cos nor git";
}

/** What other pages ask for before these settings. */
const around = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_APP_TOKEN: "xapp-1",
  SLACK_CHANNEL: "C0123ABCD",
  DISCORD_TOKEN: "a.b.c",
  DISCORD_GUILD_ID: "123456789012345678",
  DISCORD_CHANNEL_ID: "123456789012345678",
  COS_APPROVERS:
    "slack:U0123ABCD,slack:U0123ABCE,slack:S0123ABCD,discord:123456789012345678,discord:@123456789012345679",
  OPENAI_API_KEY: "1-2-a",
  OPENAI_BASE_URL: "https://models.example.com/v1",
  OPENAI_MODEL: "a-model",
  ANTHROPIC_API_KEY: "1-2-a",
  GEMINI_API_KEY: "1-2-a",
  CODEX_API_KEY: "1-2-a",
  INITIAL_AGENT_MODE: "workspace-write",
  COS_PEOPLE: "ana=slack:U0123ABCD+console;ben=slack:U0123ABCE",
};

/** A secret is shown as its beginning and `…`. */
function withoutGaps(name: string, value: string): string {
  return value === "…" && name === "DISCORD_TOKEN" ? "a.b.c" : value.replace("…", "1-2-a");
}

function problemsOfSettings(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^([A-Z_]+)=(.*?)(?:\s+#.*)?$/.exec(line) ?? [];
    if (name === "") return [`no setting: ${line}`];
    const read = parseConfig({ ...around, [name]: withoutGaps(name, value) });
    return read.type === "invalid" ? read.problems : [];
  });
}

const plan = (text: string): readonly string[] => {
  const read = parsePlanFile(text, { goal: null, days: null, policy: defaultPolicy });
  return read.type === "invalid" ? read.problems : [];
};

/** A list for `goal add --from`. */
const goalList = (text: string): readonly string[] => {
  const read = readYaml(text);
  const list = read.type === "read" && Array.isArray(read.value) ? read.value : null;
  if (list === null) return ["no list"];
  return list.flatMap((entry: unknown) => {
    const check = parseGoalEntry(entry, defaultPolicy.text.longestInput);
    return check.type === "invalid" ? [check.problem] : [];
  });
};

/** What reads a block, by its language; `null`: a drawing, or what somebody sees. */
const readers: Readonly<Record<string, ((block: Block) => readonly string[]) | null>> = {
  sh: ({ text }) =>
    text.split("\n").flatMap((line) => {
      const problem = line.trim() === "" ? null : problemOfLine(line);
      return problem === null ? [] : [`${line}: ${problem}`];
    }),
  dotenv: ({ text }) => problemsOfSettings(text),
  json: ({ text }) => {
    JSON.parse(text);
    return [];
  },
  yaml: ({ text }) => {
    const isList = /^- .*$/m.test(text) && /^ {2}(?:name|after):/m.test(text);
    if (isList) return goalList(text);
    if (!/^tasks:/m.test(text)) return plan(text);
    const read = parseTasks(text);
    return read.type === "invalid" ? read.problems : [];
  },
  markdown: ({ text }) => {
    if (!/^#### AC-/m.test(text)) return plan(text);
    const read = parseSpec(text);
    if (read.type === "invalid") return read.problems.map(({ problem }) => problem);
    const unknown = read.spec.criteria.filter(({ verification }) => verification.method === "unknown");
    return unknown.map(({ id }) => `${id}: its method is unknown`);
  },
  text: null,
  mermaid: null,
};

const blocks = pagePaths.flatMap((page) => blocksOf(page));

describe("a mistake in a page", () => {
  it.each([
    ["sh", "npx cos goal ad x"],
    ["sh", "npx cos goal add x --tags ui"],
    ["sh", "npm run nothing"],
    ["sh", "curl x | sh"],
    ["dotenv", "COS_ROLES=both"],
    ["yaml", "tasks: [{ id: T1 }]"],
    ["markdown", "# Plan\n\n- Goal\n  - cots: 5\n"],
    ["markdown", "#### AC-1: x\n**Verification**:\n```yaml\nmethod: no\n```"],
  ])("%s: %s", (language, text) => {
    expect(readers[language]?.({ page: "x.md", line: 1, language, text })).not.toEqual([]);
  });
});

it.each(blocks.map((block): [string, Block] => [`${block.page}:${block.line} (${block.language})`, block]))(
  "[F-505] %s is what its reader takes",
  (_name, block) => {
    expect(Object.keys(readers)).toContain(block.language);
    expect(readers[block.language]?.(block) ?? []).toEqual([]);
  },
);
