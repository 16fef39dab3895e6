import type { Message as SlackMessage } from "./slack/server.ts";

/** What is read on a card, in words that are the same on every platform. */

/** What can be pressed to answer. */
export const choices: ReadonlySet<string> = new Set(["Proceed", "Skip", "Modify…", "Pause", "Retry"]);

type Block = SlackMessage["blocks"][number];

/** What is to be read of Slack's blocks, fields in one line each. */
export function withoutButtons(blocks: readonly Block[]): Block[] {
  const read = blocks.filter((block) => block["type"] !== "actions");
  return JSON.parse(
    JSON.stringify(read, (name, value: unknown) => {
      const isField = name === "text" && typeof value === "string";
      return isField ? value.replace(/^\*([^*\n]+)\*\n(?=[^\n]*$)/, "$1: ") : value;
    }),
  ) as Block[];
}

/** The labels of what Slack draws as buttons that decide. */
export function textsIn(blocks: readonly object[], type: string): string[] {
  const found: string[] = [];
  JSON.stringify(blocks, (_name, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === type && "text" in value) {
      const { text } = value.text as { readonly text: string };
      if (choices.has(text)) found.push(text);
    }
    return value;
  });
  return found;
}

/** Words as they are read: no marks, the same names for times, links, people, ids and the platform itself. */
export function plain(text: string): string {
  return text
    .replace(/<!date\^[^>]*>|<t:\d+:\w>/g, "TIME")
    .replace(/<https?:[^|>]*\|([^>]*)>|\[([^\]]*)\]\(https?:[^)]*\)/g, "$1$2")
    .replace(/<@(?:U0ANA|800000000000000001)>/g, "@ana")
    .replace(/<@(?:U0BEN|800000000000000002)>/g, "@ben")
    .replace(/<@&?\w+>/g, "@somebody")
    .replace(/goal-[0-9a-f]{8}/g, "GOAL")
    .replace(/cp-[0-9a-f]{8}/g, "QUESTION")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/^(?:-# |•  )/gm, (mark) => (mark === "-# " ? "" : "- "))
    .replace(/[*`\\\u200b]/g, "")
    .replace(/\bSlack\b|\bDiscord\b/g, "CHAT");
}
