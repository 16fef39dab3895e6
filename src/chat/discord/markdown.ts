import type { Span, Text } from "../../core/cards/card.ts";
import { subjectOf } from "../../core/cards/card.ts";
import { withTimes } from "../../core/cards/times-in.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { codeMarks, drawSpans, fit, type FittedText, noMarks } from "../fit.ts";
import type { Addresses } from "../addresses.ts";

/** Texts in Discord's Markdown: data stays data, whatever somebody wrote into it. */

/** Where the messages lie that links name; without an address a link is drawn as words. */
export type Permalink = (subject: string) => string | null;

/** `https://discord.com/channels/GUILD/CHANNEL/MESSAGE` for an address `CHANNEL/MESSAGE`. */
export function permalinks(guildId: string, addresses: Addresses): Permalink {
  return (subject) => {
    const address = addresses[subject];
    return address === undefined ? null : `https://discord.com/channels/${guildId}/${address}`;
  };
}

/**
 * Data as Markdown: no mention, link, timestamp or formatting can come out of it, and nothing in it turns the direction
 * of what follows. Discord takes a backslash before any punctuation.
 */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replace(/[\\*~`|<>[\]]|@(?=everyone|here)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/^([^\S\n]{0,20})([#-])/gm, "$1\\$2");
}

/** A moment, drawn in the reader's own zone. */
export function discordTime(iso: string, withSeconds?: true): string {
  const at = Math.floor(new Date(iso).getTime() / 1000);
  return withSeconds === true ? `<t:${at}:d> <t:${at}:T>` : `<t:${at}:f>`;
}

/** A sentence in which ISO times stand, such as a card's summary, in at most `longest` characters. */
export function drawSentence(text: string, longest: number): string {
  return drawText(withTimes(text), () => null, longest);
}

/** Spans as Markdown of at most `longest` characters: never half a mark, a token or a character. */
export function drawText(text: Text, permalink: Permalink, longest: number): string {
  return drawSpans(text, longest, (span, left) => drawSpan(span, permalink, left));
}

/** Null: not even a beginning of it fits. */
function drawSpan(span: Span, permalink: Permalink, longest: number): FittedText | null {
  if (typeof span === "string") return fit(span, longest, noMarks, escapeMarkdown);
  if ("strong" in span) {
    // Marks hold only when they touch their words, and reach over one line only.
    const words = inOneLine(span.strong).trim();
    const after = /\s$/.test(span.strong) ? "** " : "**";
    return words === "" ? { text: "", isCut: false } : fit(words, longest, { before: "**", after }, escapeMarkdown);
  }
  if ("code" in span) return fit(inOneLine(span.code), longest, codeMarks, escapeCode);
  if ("command" in span) return fit(inOneLine(`/cos ${span.command}`), longest, codeMarks, escapeCode);
  if ("at" in span) return whole(discordTime(span.at, span.withSeconds), longest);
  if ("person" in span) {
    const mention = mentionOf(span.person);
    return mention === null ? fit(span.person, longest, noMarks, escapeMarkdown) : whole(mention, longest);
  }
  const subject = subjectOf(span.to);
  const url = subject === null ? null : permalink(subject);
  if (url === null || span.link.trim() === "") return fit(span.link, longest, noMarks, escapeMarkdown);
  return fit(inOneLine(span.link), longest, { before: "[", after: `](${url})` }, escapeMarkdown);
}

function whole(token: string, longest: number): FittedText | null {
  return token.length <= longest ? { text: token, isCut: false } : null;
}

/** A member or a role of Discord; null for those of other platforms. */
function mentionOf(person: string): string | null {
  const [, isRole, id = ""] = /^discord:(@)?(\d+)$/.exec(person) ?? [];
  if (id === "") return null;
  return isRole === undefined ? `<@${id}>` : `<@&${id}>`;
}

/** Inside code nothing is formatted; only its own mark must not end it. */
function escapeCode(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll("`", "ˋ");
}

/** A text in a block of its own. */
export function codeBlock(text: string, longest: number): string {
  const body = fit(text.trimEnd() === "" ? " " : text.trimEnd(), longest - 8, noMarks, escapeCode);
  return `\`\`\`\n${body?.text ?? "…"}\n\`\`\``;
}
