import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { type MessagePlaces, threadInChat } from "../delivery/places.ts";
import type { Failure } from "../recovery/failure.ts";
import { firstLine } from "../text.ts";
import { type Card, plainCard, type Text, text } from "./card.ts";
import { withoutAnswer } from "./checkpoint-consequences.ts";
import type { Notice } from "./mark.ts";
import { momentText } from "./times-in.ts";

/** Small cards that say one thing, once. */

/** A question that a reminder names. `content`: what the question is about. */
export interface Reminded {
  readonly checkpoint: Pick<Checkpoint, "checkpointId" | "version" | "goalId" | "askedAt" | "expiresAt" | "kind">;
  readonly content: string;
}

/** The people whom a reminder mentions: those on duty, and for an escalation the second person. */
interface Woken {
  readonly duty: readonly string[];
  readonly second: string | null;
}

/** The reminder of these questions, oldest first, for the thread of the oldest. Null for an empty list. */
export function reminderNotice(
  [oldest, ...more]: readonly Reminded[],
  places: MessagePlaces,
  woken: Woken,
): Notice | null {
  if (oldest === undefined) return null;
  const { checkpointId, kind, goalId } = oldest.checkpoint;
  return {
    checkpointId,
    threadSubject: kind === "clarify" ? goalId : checkpointId,
    chatThread: threadInChat(places, "reminder", checkpointId),
    card: reminderCard(oldest, more, woken),
  };
}

/**
 * Posted once, in the thread of a question that has been open for long (S4-CK, S4-RM-15: 30 minutes). One reminder names all questions that
 * are due together, in the thread of the oldest (`more`: the others). It mentions the people on duty again (D44), and for an escalation the
 * second person (COS_SECOND).
 */
export function reminderCard(oldest: Reminded, more: readonly Reminded[], { duty, second }: Woken): Card {
  const reminded = [oldest, ...more];
  const reminds = reminded.map(({ checkpoint: { checkpointId, version } }) => ({ checkpointId, version }));
  const also = reminded.some(({ checkpoint }) => checkpoint.kind === "escalation") && second !== null ? [second] : [];
  const asks = [...new Set([...duty, ...also])];
  const card = more.length > 0 ? reminderOfSeveral(reminded, also) : reminderOfOne(oldest, also);
  return { ...card, asks, reminds };
}

function reminderOfOne({ checkpoint, content }: Reminded, also: readonly string[]): Card {
  const what = firstLine(content, 100);
  return plainCard({
    kind: "notice",
    tone: "asking",
    title: "Still waiting for an answer",
    summary: `Still waiting for an answer: ${what}. Answer by ${momentText(checkpoint.expiresAt)}.`,
    blocks: [
      text({ strong: what }, " has waited since ", { at: checkpoint.askedAt.toISOString() }, "."),
      text("Without an answer by ", { at: checkpoint.expiresAt.toISOString() }, ` ${withoutAnswer(checkpoint.kind)}.`),
      ...also.map((person) => text("Also for ", { person }, ".")),
    ],
  });
}

/** A reminder of several questions that were due together, one line each. */
function reminderOfSeveral(reminded: readonly Reminded[], also: readonly string[]): Card {
  const title = `Still waiting for ${reminded.length} answers`;
  const names = reminded.slice(0, 5).map(({ content }) => firstLine(content, 60));
  const items = reminded
    .slice(0, 10)
    .map(
      ({ checkpoint, content }): Text => [
        { link: firstLine(content, 100), to: `/#${checkpoint.checkpointId}` },
        ", by ",
        { at: checkpoint.expiresAt.toISOString() },
        `, or ${withoutAnswer(checkpoint.kind)}`,
      ],
    );
  return plainCard({
    kind: "notice",
    tone: "asking",
    title,
    summary: `${title}: ${names.join("; ")}${reminded.length > 5 ? `; and ${reminded.length - 5} more` : ""}.`,
    blocks: [
      { type: "list", items },
      ...(reminded.length > 10 ? [text(`and ${reminded.length - 10} more`)] : []),
      ...also.map((person) => text("Also for ", { person }, ".")),
    ],
  });
}

/** Says that a goal's own process tried to change something (D2). */
export function refusedProcessCard(command: string, goalId: string): Card {
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "Refused: a goal's own process tried to decide",
    summary: `A process of ${goalId} called "${command}". Nothing was changed: a goal's own process cannot decide.`,
    blocks: [
      text("A process started by ", { link: goalId, to: `/goals/${goalId}` }, " called ", { code: command }, "."),
      text("Nothing was changed: a goal's own process cannot decide."),
    ],
  });
}

/** Says that a goal was delayed by a provider's limit or outage, or by its push, and goes on later. */
export function limitCard(
  goal: { readonly goalId: string; readonly content: string },
  waits: number,
  until: Date,
  { kind, error, isOutage }: Pick<Failure, "kind" | "error" | "isOutage">,
): Card {
  const what = firstLine(goal.content, 100);
  const met = kind === "push" ? "A push was not answered" : providerWords(isOutage);
  const title = `${met}${waits === 1 ? "" : ` ${waits} times in a row`}`;
  return plainCard({
    kind: "notice",
    tone: "bad",
    title,
    summary: `${title}: ${what}. It tries again at ${momentText(until)}.`,
    blocks: [
      text(
        { link: what, to: `/goals/${goal.goalId}` },
        kind === "push"
          ? ": the work is done and verified, and only its push waits."
          : ": nothing was done in between.",
      ),
      { type: "code", text: firstLine(error, 500) },
      text("It tries again at ", { at: until.toISOString() }, "."),
      text("To try at once: ", { command: `goal resume ${goal.goalId}` }),
      text("To park it: ", { command: `goal pause ${goal.goalId}` }),
    ],
  });
}

function providerWords(isOutage: true | undefined): string {
  return isOutage === true ? "The agent's provider did not answer" : "The provider's limit was met";
}

/** Says that an unknown process of this machine tried to change something (D45). */
export function unknownCallerCard(command: string, via: string): Card {
  const door = via === "console" ? "at the console" : "in the terminal";
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "Refused: it is not known who called",
    summary: `An unknown local process called "${command}" ${door}. Nothing was changed.`,
    blocks: [
      text("An unknown local process called ", { code: command }, ` ${door}. Nothing was changed.`),
      text("Was it you? What it was answered says how it can show that it is no agent."),
    ],
  });
}

/** What `stop --now` interrupted. `ended`: what happened to each session, in words. */
export function stoppedCard(
  by: string,
  cut: readonly { readonly goalId: string; readonly content: string }[],
  ended: readonly string[] = [],
): Card {
  const what =
    cut.length === 0
      ? "Nothing was running."
      : `${cut.length === 1 ? "This goal was" : "These goals were"} being worked and ${cut.length === 1 ? "was" : "were"} interrupted; what was not recorded is kept as an attempt.`;
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title: `Stopped now by ${by}`,
    summary: `Stopped now by ${by}. ${what}`,
    blocks: [
      text(what),
      ...(cut.length === 0
        ? []
        : [
            {
              type: "list" as const,
              items: cut.map((goal) => [
                { link: firstLine(goal.content, 100), to: `/goals/${goal.goalId}` },
                " · go on with ",
                { command: `goal resume ${goal.goalId}` },
              ]),
            },
          ]),
      ...ended.map((line) => text(line)),
    ],
  });
}

/** Something that a person should look at, without a question. */
export function warningCard(title: string, words: string): Card {
  return plainCard({ kind: "notice", tone: "bad", title, summary: `${title}: ${words}`, blocks: [text(words)] });
}
