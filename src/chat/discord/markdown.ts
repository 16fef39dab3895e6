import type { Span, Text } from "../../core/cards/card.ts";
import { subjectOf } from "../../core/cards/card.ts";
import { withTimes } from "../../core/cards/times-in.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { codeMarks, drawSpans, fit, type FittedText, noMarks } from "../fit.ts";
import type { Addresses } from "../addresses.ts";

/** Texts as Discord Markdown; text from others stays data and cannot format anything. */

/** Returns the URL of the message about a subject; null when it has none, and the link is drawn as words. */
export type Permalink = (subject: string) => string | null;

/** Returns the permalinks of a server: `https://discord.com/channels/GUILD/CHANNEL/MESSAGE` for an address `CHANNEL/MESSAGE`. */
export function permalinks(guildId: string, addresses: Addresses): Permalink {
  return (subject) => {
    const address = addresses[subject];
    return address === undefined ? null : `https://discord.com/channels/${guildId}/${address}`;
  };
}

/**
 * Escapes data for Markdown: it can produce no mention, link, timestamp or formatting, and cannot change the text direction. Discord
 * accepts a backslash before any punctuation.
 */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replace(/[\\*~`|<>[\]]|@(?=everyone|here)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/^([^\S\n]{0,20})([#-])/gm, "$1\\$2");
}

/** Returns a timestamp that Discord shows in the reader's own time zone. */
export function discordTime(iso: string, withSeconds?: true): string {
  const at = Math.floor(new Date(iso).getTime() / 1000);
  return withSeconds === true ? `<t:${at}:d> <t:${at}:T>` : `<t:${at}:f>`;
}

/** Draws a sentence that contains ISO times, such as a card's summary, in at most `longest` characters. */
export function drawSentence(text: string, longest: number): string {
  return drawText(withTimes(text), () => null, longest);
}

/** Draws spans as Markdown of at most `longest` characters. Never cuts a mark, a token or a character in half. */
export function drawText(text: Text, permalink: Permalink, longest: number): string {
  return drawSpans(text, longest, (span, left) => drawSpan(span, permalink, left));
}

/** Draws one span; null when not even its beginning fits. */
function drawSpan(span: Span, permalink: Permalink, longest: number): FittedText | null {
  if (typeof span === "string") return fit(span, longest, noMarks, escapeMarkdown);
  if ("strong" in span) {
    // Bold marks work only directly at a word and within one line.
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

/** Returns the mention of a Discord member or role; null for people of other platforms. */
function mentionOf(person: string): string | null {
  const [, isRole, id = ""] = /^discord:(@)?(\d+)$/.exec(person) ?? [];
  if (id === "") return null;
  return isRole === undefined ? `<@${id}>` : `<@&${id}>`;
}

/** Escapes text inside code: nothing is formatted there, so only the closing mark must be replaced. */
function escapeCode(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll("`", "ˋ");
}

/** Draws a text as a code block. */
export function codeBlock(text: string, longest: number): string {
  const body = fit(text.trimEnd() === "" ? " " : text.trimEnd(), longest - 8, noMarks, escapeCode);
  return `\`\`\`\n${body?.text ?? "…"}\n\`\`\``;
}
