import { type ForgePlace, type Issue, issueUrl } from "../core/forges/forge.ts";
import { forgePlace, issuePlace } from "../core/forges/place.ts";
import { forgeTroubleSentence } from "../core/forges/trouble.ts";
import { cleanText, firstLine, shorten } from "../core/text.ts";
import { listRepositories } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { refused, type RefusedCall } from "./command.ts";

/** An issue of a forge as a goal. Its text is data: it becomes the goal's text and its document, never criteria or commands. */
export interface IssueRead {
  readonly type: "read";
  readonly url: string;
  /** In one line. */
  readonly title: string;
  /** The text, with its author. */
  readonly text: string;
  /** Our repository that the issue belongs to; null when there is none, or several. */
  readonly repository: string | null;
  readonly labels: readonly string[];
}

/** Maximum length of an issue's body that is kept, in UTF-16 units. */
const longestIssue = 20_000;

/** True when `--from` is a URL, not a file. */
export function isPageAddress(from: string): boolean {
  return /^https?:\/\//i.test(from.trim());
}

/** Reads an issue through its forge. Refused, with what to do, when that fails. */
export async function readIssueGoal(
  deps: Pick<Deps, "database" | "config" | "openForge">,
  address: string,
): Promise<IssueRead | RefusedCall> {
  const { forges } = deps.config;
  const at = issuePlace(address, forges);
  if (at.type === "wrong") return { ...refused(at.problem, at.next), option: "from" };
  const { place, number } = at;
  const asked = await deps.openForge(place).issue(number);
  const url = issueUrl(place, number);
  if (asked.type === "failed") {
    const { kind, next } = asked.trouble;
    const reason =
      kind === "not-found"
        ? `${place.host} shows no issue ${number} of ${place.path} to our token: there is none, or it may not see it`
        : forgeTroubleSentence(asked.trouble);
    return {
      type: "refused",
      reason,
      next: kind === "unreachable" || kind === "limited" ? "try it again later" : next,
    };
  }
  const { title, isOpen, isPull } = asked.value;
  const named = firstLine(cleanText(title), 200) || `Issue ${number}`;
  if (isPull) return refused(`${url} is a pull request`, "give the address of an issue");
  if (!isOpen) return refused(`${url} is closed ("${named}")`, "open it there again");
  return {
    type: "read",
    url,
    title: named,
    text: textOf(asked.value, url),
    repository: await ourRepository(deps, place),
    labels: asked.value.labels,
  };
}

function textOf({ title, body, author }: Issue, url: string): string {
  const head = `Issue ${url}, written by ${firstLine(cleanText(author), 60)}:`;
  return `${head}\n\n${cleanText(title).trim()}\n\n${shorten(cleanText(body).trim(), longestIssue)}`.trim();
}

/** Returns the one repository of ours that has this remote; null when there is none, or several. */
async function ourRepository(
  { database, config }: Pick<Deps, "database" | "config">,
  place: ForgePlace,
): Promise<string | null> {
  const same = (await listRepositories(database.db)).filter(({ location }) => {
    const there = forgePlace(location, config.forges);
    return there?.host === place.host && there.path.toLowerCase() === place.path.toLowerCase();
  });
  return same.length === 1 ? (same[0]?.name ?? null) : null;
}
