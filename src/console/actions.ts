import { type Caller, type CommandResult, type ReadyCall, refused, UsageError } from "../commands/command.ts";
import { batchAnswer } from "../commands/batch.ts";
import { execute } from "../commands/execute.ts";
import { goalAdd } from "../commands/goal-add.ts";
import { callOf } from "../commands/line.ts";
import { rightCall, usageOf } from "../commands/usage.ts";
import { pressed } from "../commands/pressed.ts";
import { reply } from "../commands/reply.ts";
import type { Call } from "../core/calls.ts";
import { parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import { triggers } from "../core/checkpoints/triggers.ts";
import { goalSoWords, sentBeforeWords, unknownCommandWords } from "../core/cards/chat-words.ts";
import type { FormWords } from "../core/cards/forms.ts";
import { readWords, type Word } from "../core/text/words.ts";
import { once, RepeatedEvent } from "../db/events.ts";
import { type Deps, sha256 } from "../deps.ts";
import type { Composer } from "./channel-page.ts";
import type { Flash } from "./flash.ts";

/** People's actions on the console, as calls of commands: the console decides nothing by itself. */

/** Handles a pressed button with the values of its form. */
export async function answerCard(deps: Deps, caller: Caller, button: Call | null, words: FormWords): Promise<Flash> {
  if (button === null) return flashOf(refused("that button asks for nothing that is known here", "/help"));
  return flashOf(await run(deps, caller, pressed(button, words)));
}

/** The questions chosen in the list of open questions, as their form sends them. */
export interface Chosen {
  readonly kind: string;
  readonly choice: string;
  /** When the list was drawn, in milliseconds. */
  readonly shown: string;
  /** Each question as it was shown: `cp-1a2b3c4d.2`. */
  readonly questions: readonly string[];
}

/** Gives several questions of one kind the same answer (F-502), with the same command as elsewhere; it is held and can be undone. */
export async function answerChosen(
  deps: Deps,
  caller: Caller,
  { kind, choice, shown, questions }: Chosen,
): Promise<Flash> {
  const trigger = triggers.find((each) => each === kind);
  const at = new Date(Number(shown));
  if (trigger === undefined || shown === "" || Number.isNaN(at.getTime()))
    return flashOf(refused("that form asks for nothing that is known here", "/checkpoints"));
  if (questions.length === 0) return flashOf(refused("no question was chosen: tick those that are meant", null));
  const only = questions.map(parseCheckpointAddress);
  return flashOf(await run(deps, caller, batchAnswer.with({ kind: trigger, choice, shown: at, only })));
}

/** Handles text that was written under a card, like a reply in a thread. */
export async function sayReply(deps: Deps, caller: Caller, subject: string, text: string): Promise<Flash> {
  return flashOf(await run(deps, caller, reply.with({ subject, text })));
}

/** Runs a command that only reads, for a page of its own. */
export async function readForPage(deps: Deps, caller: Caller, wanted: ReadyCall): Promise<Flash> {
  return flashOf(await run(deps, caller, wanted));
}

/**
 * Like `sayLine`, once for each drawn form (`sent`) and its text, so that a form that arrives twice adds no second goal. `sent` is empty
 * for a page of another version, or for a script.
 */
export async function sayLineOnce(deps: Deps, caller: Caller, said: Composer, sent: string): Promise<Flash> {
  if (sent === "") return await sayLine(deps, caller, said);
  const { database } = once(
    deps.database,
    `console:${sha256([sent, said.repository, said.text].join("\n"))}`,
    deps.now(),
  );
  try {
    return await sayLine({ ...deps, database }, caller, said);
  } catch (error) {
    if (error instanceof RepeatedEvent) return { tone: "good", line: sentBeforeWords, next: null, card: null };
    throw error;
  }
}

/**
 * Handles a line of the composer: `/command …`, `cos command …` as the console shows it, or plain text, which becomes a goal for the
 * chosen repository.
 */
export async function sayLine(deps: Deps, caller: Caller, { text: line, repository }: Composer): Promise<Flash> {
  const text = line.trim();
  if (!/^(?:\/|(?:npx\s+)?cos(?:\s|$))/i.test(text))
    return flashOf(
      await run(deps, caller, goalAdd.with({ text, ...(repository === null ? {} : { repo: repository }) })),
    );
  const read = readWords(text.replace(/^(?:\/|npx\s+)/i, "").replace(/^cos\s+/i, ""));
  // A goal may also begin with "cos".
  const not = (reason: string): string => (text.startsWith("/") ? reason : `${reason}; ${goalSoWords(text)}`);
  if (read.type === "wrong")
    return flashOf({ type: "refused", reason: not(`${read.problem}; nothing was done`), next: "/help" });
  return flashOf(await call(deps, caller, read.words, not));
}

async function call(
  deps: Deps,
  caller: Caller,
  words: readonly Word[],
  not: (reason: string) => string,
): Promise<CommandResult> {
  const called = callOf(words);
  switch (called.type) {
    case "unknown":
      return { type: "refused", reason: not(unknownCommandWords(`/${called.words}`, called.hint)), next: called.next };
    case "wrong":
      return { type: "refused", reason: not(called.problem), next: called.next };
    case "help":
      return { type: "refused", reason: called.command.summary, next: usageOf(called.command, "elsewhere") };
    case "call":
      return await run(deps, caller, called.command.asked(called.given));
  }
}

async function run(deps: Deps, caller: Caller, wanted: ReadyCall): Promise<CommandResult> {
  try {
    return await execute(deps, caller, wanted);
  } catch (error) {
    if (error instanceof UsageError) return refused(error.message, rightCall(wanted.command));
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
