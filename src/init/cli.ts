import { parseArgs } from "node:util";
import { whoCalls } from "../agent/process/caller.ts";
import { refusalOfOrigin } from "../commands/execute.ts";
import { settingsFile, typed } from "../installed.ts";
import { errorWords } from "../core/errors.ts";
import { ownEnvironment } from "../environment.ts";
import { complain, print } from "../printing.ts";
import { sayRefused, sayWrongUsage } from "../refusing.ts";
import { findingLine } from "./dialog.ts";
import { howInScripts, initByAsking, initFromEnvironment, type InitOutcome, unknownNames } from "./init.ts";
import { openTerminal } from "./terminal.ts";

/** The entry of `cos init`. */

const help = [
  "cos init [NAME …] [--yes [--untried]] [--json]",
  "  Write the settings (.env) by asking. Tokens and agents are tried as they are typed. Run it again to change something:",
  "  what is not asked, and comments, stay as they are.",
  "",
  "  NAME       ask for this setting only, such as COS_BUDGET_DAY_USD (docs/configuration.md has all)",
  "  --yes      ask nothing: write what the environment sets (COS_AGENT, SLACK_…, DISCORD_…, COS_APPROVERS, or each NAME)",
  "  --untried  with --yes: write without trying",
  "  --json     with --yes: one JSON document on standard output",
  "",
  "  Exit 0: written, or nothing to write. 1: refused, nothing was written. 2: wrong usage.",
];

/** Runs `cos init`. */
export async function start(): Promise<void> {
  process.exitCode = await runInit(process.argv.slice(3)).catch((error: unknown) =>
    sayRefused({ reason: errorWords(error), next: "cos doctor" }, process.argv.includes("--json")),
  );
}

async function runInit(words: readonly string[]): Promise<number> {
  const given = readWords(words);
  if (typeof given === "string") return usage(given, words.includes("--json"));
  if (given.help) return print(help);
  const { names, json } = given;
  const origin = whoCalls();
  const refusal = origin.type === "untold" ? null : refusalOfOrigin(origin, { name: "init", access: "change" });
  if (refusal !== null) return tell({ ...refusal, next: refusal.next ?? "", findings: [] }, json);
  const init = { file: settingsFile, own: ownEnvironment(), names };
  if (given.yes) return tell(await initFromEnvironment(init, !given.untried), json);
  if (json) return usage("--json asks nobody: it needs --yes", true);
  const unknown = unknownNames(names);
  if (unknown !== null) return tell(unknown, false);
  if (!process.stdin.isTTY) return usage(`this is no terminal, so nobody can be asked: ${howInScripts(names)}`, false);
  const terminal = openTerminal({ input: process.stdin, output: process.stdout });
  try {
    return tell(await initByAsking(init, terminal), false);
  } finally {
    terminal.close();
  }
}

function tell(outcome: InitOutcome, isJson: boolean): number {
  switch (outcome.type) {
    case "unchanged":
      return print(["Nothing was changed."]);
    case "refused": {
      const { reason, next, findings } = outcome;
      if (isJson) print([JSON.stringify({ refused: { reason, next }, findings }, null, 2)]);
      complain([reason, `next: ${next}`]);
      return 1;
    }
    case "written": {
      const { names, findings, problems } = outcome;
      if (isJson) return print([JSON.stringify({ file: settingsFile, written: names, findings, problems }, null, 2)]);
      return print([
        ...findings.map(findingLine),
        `Written to ${settingsFile}: ${names.join(", ")}.`,
        ...problems.map((problem) => `Still to do: ${problem}`),
        `next: cos doctor, then start the bot again (${typed.start})`,
      ]);
    }
  }
}

interface Given {
  readonly names: readonly string[];
  readonly yes: boolean;
  readonly untried: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

/** Parses the arguments; returns a text when they are wrong. */
function readWords(words: readonly string[]): Given | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        yes: { type: "boolean", default: false },
        untried: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const withValue = positionals.find((each) => each.includes("="));
    if (withValue !== undefined)
      return "a value on the command line can be read by others: name the setting only, and type its value when you are asked";
    return { names: positionals, ...values };
  } catch (error) {
    return errorWords(error);
  }
}

function usage(problem: string, isJson: boolean): number {
  return sayWrongUsage(problem, help[0] ?? "", isJson);
}
