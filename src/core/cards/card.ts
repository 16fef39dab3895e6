import type { Call } from "../calls.ts";
import type { Week } from "../reports/week.ts";
import { shorten } from "../text.ts";
import { formatSeconds, formatTime } from "../time.ts";

/**
 * A card is a message as plain data in a row. A platform draws it; this file knows nothing of blocks or embeds. Every text is data and is
 * escaped by the code that draws it.
 */

/** A piece of a text: words, code, emphasis, a time drawn in the reader's zone, or a link into the console. */
export type Span =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  /** A command without its `cos`: "goal resume goal-1a2b3c4d". Drawn as it is typed on each platform. */
  | { readonly command: string }
  /** ISO 8601 with zone. `withSeconds`: for moments that follow each other closely. */
  | { readonly at: string; readonly withSeconds?: true }
  /**
   * A path of the console, such as `/goals/goal-1a2b3c4d`, or an address elsewhere that our code built. Platforms without the console draw
   * only the words. `isFile`: the browser saves a file and stays on the page.
   */
  | { readonly link: string; readonly to: string; readonly isFile?: true }
  /**
   * A person as COS_APPROVERS names them (`slack:U1A2B3C4D`), drawn as a mention on their own platform. Used in messages to one person, and
   * for those whom a card asks. Never made from data.
   */
  | { readonly person: string };

export type Text = readonly Span[];

export type CardBlock =
  /** `isKept`: always shown in a channel, such as what the recommended choice does; other blocks give way to it. */
  /**
   * `isApart`: starts the next of several items; a terminal prints an empty line before it. `isWhole`: a channel shows all or nothing of
   * it.
   */
  | {
      readonly type: "text";
      readonly text: Text;
      readonly isKept?: true;
      readonly isApart?: true;
      readonly isWhole?: true;
    }
  | { readonly type: "fields"; readonly fields: readonly { readonly label: string; readonly value: Text }[] }
  /**
   * `standings`: one word or two for each item, and for items that are not listed. A channel's card ends with the number of each standing
   * that it does not show, such as "and 2 wait for an answer".
   */
  | { readonly type: "list"; readonly items: readonly Text[]; readonly standings?: readonly string[] }
  /** `isDiff`: changes of files, drawn unchanged. `isEnd`: the end of an output; if it is cut, its last lines are kept. */
  | { readonly type: "code"; readonly text: string; readonly isDiff?: true; readonly isEnd?: true }
  /** Small print. */
  | { readonly type: "note"; readonly text: Text }
  /** An image. `words` say the same for people who do not see it, and for places that show no pictures. */
  | { readonly type: "picture"; readonly picture: Picture; readonly words: string };

/** The facts of a picture, not its pixels. */
export interface Picture {
  readonly type: "week";
  readonly week: Week;
}

/** A button. */
export interface CardAction {
  /** Its name among the buttons of its card, such as "proceed". */
  readonly choice: string;
  readonly label: string;
  /** The call that a press makes. */
  readonly call: Call;
  readonly style: "primary" | "default" | "danger";
  /** The initial text of its form: the command that is to be edited. */
  readonly initial?: string;
  /** Set when the goal runs a fixed command: the form then has no field for instructions, because nothing would read them. */
  readonly takesNoWords?: true;
  /** What the button decides about and until when (ISO 8601), for screen readers: see `accessibleLabel`. */
  readonly about: string;
  readonly until: string | null;
}

export type CardTone = "neutral" | "asking" | "good" | "bad" | "working";

/** Maximum number of people that one message mentions. */
export const mostAsked = 20;

/** Tones that need a person's attention: such a card notifies people when it is posted. */
export const wakingTones: readonly CardTone[] = ["asking", "bad"];

export interface Card {
  readonly kind: "goal" | "checkpoint" | "session" | "campaign" | "notice" | "report" | "list";
  readonly tone: CardTone;
  /** One line; with `summary` it is what a lock screen shows. */
  readonly title: string;
  /** The whole card in one plain sentence: goal, decision, deadline. Also the fallback when a platform rejects it. */
  readonly summary: string;
  /**
   * For a question, what follows its title in a heading: first its subject, then its deadline or how it ended. Absent: chats take the rest
   * of the summary.
   */
  readonly lead?: Text;
  readonly blocks: readonly CardBlock[];
  /** What a channel shows when the blocks take more than eight lines (`brief.ts`). Absent: the first blocks. */
  readonly brief?: readonly CardBlock[];
  /** Like `brief`, with longer lines for a wide page. Absent: `brief`. */
  readonly wideBrief?: readonly CardBlock[];
  readonly actions: readonly CardAction[];
  /** The state in words, for a badge. */
  readonly state: string | null;
  /** The card's goal: platforms offer Why and Diff for it. */
  readonly goalId?: string;
  /**
   * The people whom its message notifies, as COS_APPROVERS names them. Each platform mentions its own. Nothing else in a posted card
   * mentions anybody (D44).
   */
  readonly asks?: readonly string[];
  /** For a reminder: the questions that it names, with their versions. One that is posted late leaves out settled, changed or seen ones. */
  readonly reminds?: readonly { readonly checkpointId: string; readonly version: number }[];
}

/** Builds a card without actions. */
export function plainCard(card: Omit<Card, "actions" | "state"> & { readonly state?: string }): Card {
  return { ...card, actions: [], state: card.state ?? null };
}

/** A paragraph. */
export function text(...spans: Span[]): CardBlock {
  return { type: "text", text: spans };
}

/** A line for a shell: one of our commands, or another program's. */
export function shellLine(line: string): Span {
  return line.startsWith("cos ") ? { command: line.slice(4) } : { code: line };
}

/**
 * Splits a sentence that is stored as one text, such as a goal's outcome, into spans. One of our commands stands after a colon ("Go on
 * with: cos goal resume ID") and ends with the sentence or at a semicolon. Runs in linear time.
 */
export function sentence(words: string): Span[] {
  return words
    .split(/(?<=: )cos ([a-z]+(?: [\w/-]+(?:\.[\w/-]+)*)*)/)
    .flatMap((part, index): Span[] => (index % 2 === 1 ? [{ command: part }] : part === "" ? [] : [part]));
}

/** The start of a line to type: one of our commands, another program's, or a chat command (`/help`). */
const typedStart = /^(?:(?:cos|git|npm|npx|ssh-keygen) |\/[a-z])/;

/**
 * The help after a refusal. A line to type becomes a command. Advice becomes a sentence, with an optional command after a colon ("give
 * another path, or: git init").
 */
export function nextSpans(next: string): Span[] {
  if (typedStart.test(next)) return [shellLine(next)];
  const behind = next.lastIndexOf(": ") + 2;
  const line = next.slice(behind);
  const isOther = behind > 1 && typedStart.test(line) && !line.startsWith("cos ");
  return isOther ? [next.slice(0, behind), shellLine(line)] : sentence(next);
}

/** A paragraph in small print. */
export function note(...spans: Span[]): CardBlock {
  return { type: "note", text: spans };
}

/** The subject of a card's link: a goal or campaign for its page, a question for `/#cp-1a2b3c4d`. Null for other pages. */
export function subjectOf(to: string): string | null {
  return /^\/(?:goals\/|campaigns\/|#)([\w-]+)$/.exec(to)?.[1] ?? null;
}

/** All texts of a card that consist of spans. */
export function textsOf(card: Pick<Card, "blocks" | "brief" | "wideBrief" | "lead">): readonly Text[] {
  const { blocks, brief = [], wideBrief = [], lead = [] } = card;
  const inBlocks = [...blocks, ...brief, ...wideBrief].flatMap((block): readonly Text[] => {
    switch (block.type) {
      case "text":
      case "note":
        return [block.text];
      case "fields":
        return block.fields.map((field) => field.value);
      case "list":
        return block.items;
      case "code":
      case "picture":
        return [];
    }
  });
  return [...inBlocks, lead];
}

/** The subjects of all links of a card. */
export function linkedSubjects(card: Pick<Card, "blocks" | "brief" | "wideBrief" | "lead">): readonly string[] {
  const subjects = textsOf(card)
    .flat()
    .flatMap((span) => {
      const subject = typeof span === "object" && "to" in span ? subjectOf(span.to) : null;
      return subject === null ? [] : [subject];
    });
  return [...new Set(subjects)];
}

/** For a heading, which notifications show and screen readers read first. */
export function withoutLinks(spans: Text): Text {
  return spans.map((span) => (typeof span === "object" && "link" in span ? span.link : span));
}

/** A text as plain words, with times in the given zone, for terminals, fallbacks and logs. */
export function plainText(spans: Text, zone: string): string {
  return spans.map((span) => plainSpan(span, zone)).join("");
}

function plainSpan(span: Span, zone: string): string {
  if (typeof span === "string") return span;
  if ("strong" in span) return span.strong;
  if ("code" in span) return span.code;
  if ("command" in span) return `cos ${span.command}`;
  if ("link" in span) return span.link;
  if ("person" in span) return span.person;
  return (span.withSeconds === true ? formatSeconds : formatTime)(new Date(span.at), zone);
}

/** The decision, the goal and the deadline in at most `longest` characters. Only the goal is shortened. */
export function accessibleLabel(
  action: Pick<CardAction, "label" | "about" | "until">,
  zone: string,
  longest = 250,
): string {
  const decision = action.label.replace(/…$/, "");
  const deadline = action.until === null ? "" : `, answer by ${formatTime(new Date(action.until), zone)}`;
  const left = longest - decision.length - deadline.length - 2;
  return `${decision}: ${shorten(action.about, Math.max(left, 1))}${deadline}`;
}
