import { parseArgsStringToArgv } from "string-argv";
import { type Caller, type CommandResult, UsageError } from "../commands/command.ts";
import { type FilledAnswer, wordsOfAnswer } from "../commands/decide.ts";
import { execute } from "../commands/execute.ts";
import { commands } from "../commands/index.ts";
import { findCommand, parseGiven, usageOf } from "../commands/parse.ts";
import type { Deps } from "../deps.ts";
import type { Flash } from "./channel-page.ts";

/** What people do on the console, as calls of commands: the console decides nothing by itself. */

/** A pressed button or a filled form. */
export async function answerCard(deps: Deps, caller: Caller, form: FilledAnswer): Promise<Flash> {
  return flashOf(await call(deps, caller, wordsOfAnswer(form)));
}

/** What was written under a card, as a thread reply is elsewhere. */
export async function sayReply(deps: Deps, caller: Caller, subject: string, text: string): Promise<Flash> {
  return flashOf(await call(deps, caller, ["reply", "--", subject, text]));
}

/** A line of the composer: `/command …`, or plain text, which is a goal. */
export async function sayLine(deps: Deps, caller: Caller, line: string): Promise<Flash> {
  const text = line.trim();
  if (!text.startsWith("/")) return flashOf(await call(deps, caller, ["goal", "add", "--", text]));
  const words = parseArgsStringToArgv(text.slice(1).replace(/^cos\s+/, ""));
  return flashOf(await call(deps, caller, words));
}

async function call(deps: Deps, caller: Caller, words: readonly string[]): Promise<CommandResult> {
  const found = findCommand(commands, words);
  if (found === null) return { type: "refused", reason: `unknown command: /${words.join(" ")}`, next: "/help" };
  try {
    const given = parseGiven(found.command, found.rest);
    if (given.switches.has("help"))
      return { type: "refused", reason: found.command.summary, next: usageOf(found.command) };
    return await execute(deps, caller, found.command, given);
  } catch (error) {
    if (error instanceof UsageError) return { type: "refused", reason: error.message, next: usageOf(found.command) };
    throw error;
  }
}

function flashOf(result: CommandResult): Flash {
  switch (result.type) {
    case "done":
      return {
        tone: "good",
        line: result.card.blocks.length === 0 ? result.card.title : "",
        next: null,
        card: result.card.blocks.length === 0 ? null : result.card,
      };
    case "refused":
      return { tone: "bad", line: result.reason, next: result.next, card: null };
  }
}
