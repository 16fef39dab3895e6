import { type Span, subjectOf, type Text } from "../../core/cards/card.ts";
import { withTimes } from "../../core/cards/times-in.ts";
import { formatSeconds, formatTime } from "../../core/time.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { codeMarks, drawSpans, fit, type FittedText, noMarks } from "../fit.ts";
import type { Addresses } from "../addresses.ts";

/** Texts as Slack mrkdwn; text from others stays data and cannot format anything. */

export interface Words {
  /** The time zone for readers whose client cannot show a Slack date. */
  readonly zone: string;
  /** Returns the URL of the message about a subject; null when it has none, and the link is drawn as words. */
  readonly permalink: (subject: string) => string | null;
}

/**
 * Returns the permalinks of a workspace: `https://team.slack.com/archives/C1/p1700000000000100` for an address `C1/1700000000.000100`.
 * The link to a reply names its thread, without which Slack opens only the channel. The link is escaped for mrkdwn; null also when the
 * workspace's URL is not known.
 */
export function permalinks(workspaceUrl: string, addresses: Addresses): Words["permalink"] {
  return (subject) => {
    const address = addresses[subject];
    const [channel, ts, thread] = address?.split("/") ?? [];
    if (workspaceUrl === "" || channel === undefined || ts === undefined) return null;
    const inThread = thread === undefined ? "" : `?thread_ts=${thread}&amp;cid=${channel}`;
    return `${workspaceUrl.replace(/\/$/, "")}/archives/${channel}/p${ts.replace(".", "")}${inThread}`;
  };
}

/** An invisible character that keeps the following one from being read as formatting. */
const joiner = "\u2060";

/** Escapes data for mrkdwn: it can produce no mention, link, entity or formatting, and cannot change the text direction. */
export function escapeMrkdwn(text: string): string {
  return text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, `${joiner}$&`)
    .replace(/^(&gt;)/gm, `${joiner}$1`);
}

/** Returns a date that Slack shows in the reader's own time zone. */
export function slackDate(iso: string, zone: string, withSeconds?: true): string {
  const at = new Date(iso);
  const words = (withSeconds === true ? formatSeconds : formatTime)(at, zone);
  const time = withSeconds === true ? "time_secs" : "time";
  const fallback = `${words} ${zone}`.replaceAll("|", " ");
  return `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {${time}}|${fallback}>`;
}

/** Draws a sentence that contains ISO times, such as a card's summary. */
export function drawSentence(text: string, zone: string): string {
  const drawn = withTimes(text).map((span) =>
    typeof span === "string" ? escapeMrkdwn(span) : slackDate(span.at, zone),
  );
  return drawn.join("");
}

/** Draws spans as mrkdwn of at most `longest` characters. Never cuts an entity, a token or a character in half. */
export function drawText(text: Text, words: Words, longest: number): string {
  return drawSpans(text, longest, (span, left) => drawSpan(span, words, left));
}

/** Draws one span; null when not even its beginning fits. */
function drawSpan(span: Span, words: Words, longest: number): FittedText | null {
  if (typeof span === "string") return fit(span, longest, noMarks, escapeMrkdwn);
  if ("strong" in span) {
    // Bold marks work only directly at a word and within one line.
    const after = /\s$/.test(span.strong) ? "* " : "*";
    return fit(inOneLine(span.strong), longest, { before: "*", after }, escapeBold);
  }
  if ("code" in span) return fit(inOneLine(span.code), longest, codeMarks, escapeCode);
  if ("command" in span) return fit(inOneLine(`/cos ${span.command}`), longest, codeMarks, escapeCode);
  if ("at" in span) {
    const date = slackDate(span.at, words.zone, span.withSeconds);
    return date.length <= longest ? { text: date, isCut: false } : null;
  }
  if ("person" in span) {
    const mention = mentionOf(span.person);
    if (mention === null) return fit(span.person, longest, noMarks, escapeMrkdwn);
    return mention.length <= longest ? { text: mention, isCut: false } : null;
  }
  const subject = subjectOf(span.to);
  const url = subject === null ? null : words.permalink(subject);
  if (url === null) return fit(span.link, longest, noMarks, escapeMrkdwn);
  return fit(inOneLine(span.link), longest, { before: `<${url}|`, after: ">" }, (link) =>
    escapeMrkdwn(link).replaceAll("|", "¦"),
  );
}

/** Returns the mention of a Slack person or user group; null for people of other platforms. */
export function mentionOf(person: string): string | null {
  const [, id = "", isGroup] = /^slack:((?:[UW]|(S))[A-Z0-9]+)$/.exec(person) ?? [];
  if (id === "") return null;
  return isGroup === undefined ? `<@${id}>` : `<!subteam^${id}>`;
}

function escapeBold(text: string): string {
  return escapeMrkdwn(text).replaceAll("*", "∗");
}

/** Escapes text inside code: nothing is formatted there, so beside the entities only the closing mark must be replaced. */
export function escapeCode(text: string): string {
  return text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "ˋ");
}

/** Draws a text as a code block, cut to `longest` characters. */
export function codeBlock(text: string, longest: number): string {
  const room = longest - 8;
  const body = fit(text.trimEnd() === "" ? " " : text.trimEnd(), room, noMarks, escapeCode);
  return `\`\`\`\n${body?.text ?? "…"}\n\`\`\``;
}
