import type { Call } from "../calls.ts";
import type { Week } from "../reports/week.ts";
import { shorten } from "../text.ts";
import { formatSeconds, formatTime } from "../time.ts";

/**
 * A card: what is said, as plain data in a row. A platform draws it; nothing here knows what a block or an embed is.
 * Every text is data, escaped by whoever draws it.
 */

/** A piece of a text: words, code, emphasis, a time drawn in the reader's zone, or a link into the console. */
export type Span =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  /** A command without its `cos`: "goal resume goal-1a2b3c4d". Drawn as it is typed on each platform. */
  | { readonly command: string }
  /** ISO 8601 with zone. `withSeconds`: where moments follow each other closely. */
  | { readonly at: string; readonly withSeconds?: true }
  /**
   * A path of the console, such as `/goals/goal-1a2b3c4d`, or an address elsewhere that was made here; platforms without the
   * console draw the words only. `isFile`: it is saved, and the page stays.
   */
  | { readonly link: string; readonly to: string; readonly isFile?: true }
  /**
   * Somebody as COS_APPROVERS names them (`slack:U1A2B3C4D`), drawn as their own platform mentions them: in what one person is
   * told, and of those whom the card asks. Never made of data.
   */
  | { readonly person: string };

export type Text = readonly Span[];

export type CardBlock =
  /** `isKept`: shown in a channel whatever gives way to it, such as what the recommended choice does. */
  /** `isApart`: begins the next of several; a terminal leaves a line before it. `isWhole`: shown whole in a channel, or not at all. */
  | {
      readonly type: "text";
      readonly text: Text;
      readonly isKept?: true;
      readonly isApart?: true;
      readonly isWhole?: true;
    }
  | { readonly type: "fields"; readonly fields: readonly { readonly label: string; readonly value: Text }[] }
  | { readonly type: "list"; readonly items: readonly Text[] }
  /** `isDiff`: changes of files, drawn as they are. `isEnd`: what was printed last, of which the end is kept. */
  | { readonly type: "code"; readonly text: string; readonly isDiff?: true; readonly isEnd?: true }
  /** Small print. */
  | { readonly type: "note"; readonly text: Text }
  /** Something to look at; `words` say the same, for those who do not see it and where no pictures are shown. */
  | { readonly type: "picture"; readonly picture: Picture; readonly words: string };

/** What is to be drawn: facts, not pixels. */
export interface Picture {
  readonly type: "week";
  readonly week: Week;
}

/** What can be pressed. */
export interface CardAction {
  /** Its name among the buttons of its card: "proceed". */
  readonly choice: string;
  readonly label: string;
  /** What a press asks for. */
  readonly call: Call;
  readonly style: "primary" | "default" | "danger";
  /** What the form begins with: the command that is to be edited. */
  readonly initial?: string;
  /** Its goal runs a fixed command: the form asks for no instructions, which nobody would read. */
  readonly takesNoWords?: true;
  /** What it decides about and until when (ISO 8601), for screen readers: see `accessibleLabel`. */
  readonly about: string;
  readonly until: string | null;
}

export type CardTone = "neutral" | "asking" | "good" | "bad" | "working";

/** At most so many are mentioned by one message. */
export const mostAsked = 20;

/** Tones that want somebody: such a card notifies people when it is posted. */
export const wakingTones: readonly CardTone[] = ["asking", "bad"];

export interface Card {
  readonly kind: "goal" | "checkpoint" | "session" | "campaign" | "notice" | "report" | "list";
  readonly tone: CardTone;
  /** One line; with `summary` it is what a lock screen shows. */
  readonly title: string;
  /** The whole card in one plain sentence: goal, decision, deadline. Also the fallback when a platform rejects it. */
  readonly summary: string;
  /**
   * Of a question, what follows its title in a heading: first what it is about, then until when it is asked or how it ended.
   * Absent: chats take the rest of the summary.
   */
  readonly lead?: Text;
  readonly blocks: readonly CardBlock[];
  /** What a channel shows of them where they take more than eight lines (`brief.ts`); absent: their beginning. */
  readonly brief?: readonly CardBlock[];
  /** The same with longer words, for a wide page; absent: `brief`. */
  readonly wideBrief?: readonly CardBlock[];
  readonly actions: readonly CardAction[];
  /** The state in words, for a badge. */
  readonly state: string | null;
  /** The goal it is about: platforms offer Why and Diff for it. */
  readonly goalId?: string;
  /**
   * Whom its message notifies, as COS_APPROVERS names them: each platform mentions its own. Nothing else that a posted card
   * says mentions anybody (D44).
   */
  readonly asks?: readonly string[];
  /** Of a reminder the questions that it names, each as it was: what is held goes without those that it need not name any more. */
  readonly reminds?: readonly { readonly checkpointId: string; readonly version: number }[];
}

/** What the two-argument builders save: a card without actions. */
export function plainCard(card: Omit<Card, "actions" | "state"> & { readonly state?: string }): Card {
  return { ...card, actions: [], state: card.state ?? null };
}

/** A paragraph. */
export function text(...spans: Span[]): CardBlock {
  return { type: "text", text: spans };
}

/** A line for a shell: a command of ours, or another program's. */
export function shellLine(line: string): Span {
  return line.startsWith("cos ") ? { command: line.slice(4) } : { code: line };
}

/**
 * A sentence that is kept as one text, such as a goal's outcome, in pieces: a command of ours stands behind a colon ("Go on
 * with: cos goal resume ID") and ends with the sentence or at a semicolon. Linear in the text.
 */
export function sentence(words: string): Span[] {
  return words
    .split(/(?<=: )cos ([a-z]+(?: [\w/-]+(?:\.[\w/-]+)*)*)/)
    .flatMap((part, index): Span[] => (index % 2 === 1 ? [{ command: part }] : part === "" ? [] : [part]));
}

/** Begins what is typed: a command of ours, another program's, or one of a chat's (`/help`). */
const typedStart = /^(?:(?:cos|git|npm|npx|ssh-keygen) |\/[a-z])/;

/**
 * What helps after a refusal: what is typed as a command, advice as a sentence, in which a command may stand behind a colon
 * ("give another path, or: git init").
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

/** What a link of a card names: the goal or campaign of its page, the question of `/#cp-1a2b3c4d`; null for other pages. */
export function subjectOf(to: string): string | null {
  return /^\/(?:goals\/|campaigns\/|#)([\w-]+)$/.exec(to)?.[1] ?? null;
}

/** Every text of a card that is made of spans. */
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

/** Every subject that the card's links name. */
export function linkedSubjects(card: Pick<Card, "blocks" | "brief" | "wideBrief" | "lead">): readonly string[] {
  const subjects = textsOf(card)
    .flat()
    .flatMap((span) => {
      const subject = typeof span === "object" && "to" in span ? subjectOf(span.to) : null;
      return subject === null ? [] : [subject];
    });
  return [...new Set(subjects)];
}

/** For a heading, which notifications show and which is read out first. */
export function withoutLinks(spans: Text): Text {
  return spans.map((span) => (typeof span === "object" && "link" in span ? span.link : span));
}

/** A text as plain words, times in the given zone: for terminals, fallbacks and logs. */
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

/** Names decision, goal and deadline in at most `longest` characters; the goal is what gets shortened. */
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
