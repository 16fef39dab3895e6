import { nameToEmoji } from "gemoji";
import type { NameOf } from "./people.ts";

/** What Slack makes of typed text, taken back: what a person sees is what is read (F-110, F-405). */

/** Names of people, by their id. */
export type Names = ReadonlyMap<string, string>;

const mostNames = 10;
const mention = /<@([UW][A-Z0-9]+)>/g;

/** The same with the names of those it mentions: `@ana`, `@Ana_Maria`, where Slack knows them. */
export async function readTyped(text: string, nameOf: NameOf): Promise<string> {
  const ids = [...new Set([...text.matchAll(mention)].map(([, id = ""]) => id))].slice(0, mostNames);
  const named = await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const));
  return asTyped(text, new Map(named));
}

/**
 * Its escaping; links that it makes of addresses and of names that look like one (`<http://example.com|example.com>`), of
 * which those with words of their own are the words with the address behind them; channels, people, groups, dates; and names
 * of emoji outside of code.
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

/** A person, a channel, or one of Slack's own: a group, everybody, a date. */
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

/** A name as one word (`@Ana_Maria`), so that it is known where the mention ends: as the readers of replies take mentions away. */
function oneWord(name: string, id: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}.-]+/gu) ?? [id];
  return `@${words.join("_")}`;
}

const skinTones = ["🏻", "🏼", "🏽", "🏾", "🏿"];

/** `:+1:` and `:+1::skin-tone-2:`; names of the workspace's own emoji stay. */
function withEmoji(text: string): string {
  return text.replace(
    /(?<![\w:])((?::[a-z0-9_+'-]{1,60}:)+)(?!\w)/g,
    (all) => all.slice(1, -1).split("::").map(emojiOf).join("") || all,
  );
}

function emojiOf(name: string): string {
  const tone = /^skin-tone-([2-6])$/.exec(name)?.[1];
  if (tone !== undefined) return skinTones[Number(tone) - 2] ?? "";
  return nameToEmoji[name] ?? `:${name}:`;
}
