import { nameToEmoji } from "gemoji";
import type { NameOf } from "./people.ts";

/** Reverses Slack's changes to typed text, so that the text is read as the person sees it (F-110, F-405). */

/** People's names, by id. */
export type Names = ReadonlyMap<string, string>;

const mostNames = 10;
const mention = /<@([UW][A-Z0-9]+)>/g;

/** Like `asTyped`, with the names of people who are mentioned: `@ana`, `@Ana_Maria`, if Slack knows them. */
export async function readTyped(text: string, nameOf: NameOf): Promise<string> {
  const ids = [...new Set([...text.matchAll(mention)].map(([, id = ""]) => id))].slice(0, mostNames);
  const named = await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const));
  return asTyped(text, new Map(named));
}

/**
 * Reverses Slack's escaping, its references (channels, people, groups, dates), and emoji names outside code. Also reverses the links that
 * Slack makes of addresses and of names that look like one (`<http://example.com|example.com>`). A link with a text of its own becomes
 * the text with the address after it.
 */
export function asTyped(text: string, names: Names = new Map()): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : withEmoji(part)))
    .join("")
    .replace(/<((?:https?|ftp|mailto|tel):[^<>|\s]*)(?:\|([^<>|]*))?>/g, (_, url: string, label = "") =>
      link(url, label),
    )
    .replace(/<([@#!])([^<>|\s]*)(?:\|([^<>|]*))?>/g, (_, mark: string, id: string, label = "") =>
      reference({ mark, id, label }, names),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function link(url: string, label: string): string {
  const wasTyped =
    label === "" || [`http://${label}`, `https://${label}`, `mailto:${label}`, `tel:${label}`].includes(url);
  if (wasTyped) return label === "" ? url : label;
  return label === url ? url : `${label} (${url})`;
}

/** Returns the text for a person, a channel, or a special reference: a group, everybody, a date. */
function reference(
  { mark, id, label }: { readonly mark: string; readonly id: string; readonly label: string },
  names: Names,
): string {
  const shown = label === "" ? null : label;
  switch (mark) {
    case "#":
      return `#${shown ?? id}`;
    case "@":
      return oneWord(shown ?? names.get(id) ?? id, id);
    default: {
      const [kind = "", group = ""] = id.split("^");
      if (kind === "date") return shown ?? "";
      if (kind === "subteam") return shown ?? `@${group}`;
      return `@${kind}`;
    }
  }
}

/** Joins a name to one word (`@Ana_Maria`), so that readers of replies can see where the mention ends and remove it. */
function oneWord(name: string, id: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}.-]+/gu) ?? [id];
  return `@${words.join("_")}`;
}

const skinTones = ["🏻", "🏼", "🏽", "🏾", "🏿"];

/** Replaces `:+1:` and `:+1::skin-tone-2:`; names of the workspace's own emoji stay. */
function withEmoji(text: string): string {
  return text.replace(
    /(?<![\w:])((?::[a-z0-9_+'-]{1,60}:)+)(?!\w)/g,
    (all) => all.slice(1, -1).split("::").map(emojiOf).join("") || all,
  );
}

function emojiOf(name: string): string {
  const tone = /^skin-tone-([2-6])$/.exec(name)?.[1];
  if (tone !== undefined) return skinTones[Number(tone) - 2] ?? "";
  return Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? "") : `:${name}:`;
}
