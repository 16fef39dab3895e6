import type { Goal, Tier } from "../goals/goal.ts";

/**
 * How detailed a goal's worklog is, decided by rules. A person's choice for the goal comes before everything else. Of the tiers that the
 * rules find, the most careful one wins, and a contradiction lowers the confidence. Seed 000 FR-001.
 */
export interface TierOf {
  readonly tier: Tier;
  /** From 0 to 1. 1 when a person chose it. */
  readonly confidence: number;
  /** The reason in words, for the card. */
  readonly reason: string;
}

type TierFacts = Pick<Goal, "content" | "tags" | "linkage" | "filesAllowed" | "criteria" | "tier">;

/** How much the confidence drops when two rules contradict each other. */
const doubt = 0.2;

/** The tier of a goal, with the confidence (0 to 1) and the reason. A tier that was chosen by hand wins. */
export function tierOf(goal: TierFacts): TierOf {
  if (goal.tier !== null) return { tier: goal.tier, confidence: 1, reason: "chosen with --tier" };
  const words = wordsOf(goal.content);
  const asking = exemptReason(goal, words);
  if (asking !== null) return { tier: "EXEMPT", confidence: 0.95, reason: asking };

  const strict = strictReason(goal, words);
  const light = lightReason(goal, words);
  if (strict !== null) {
    const confidence = light === null ? 0.92 : 0.92 - doubt;
    return { tier: "STRICT", confidence: rounded(confidence), reason: strict };
  }
  const standard = standardReason(goal, words);
  if (light !== null) {
    // Fixing a typo does not change behaviour; adding to a text that has a criterion may.
    if (goal.criteria === null && goal.linkage.kind === "none")
      return { tier: "LIGHT", confidence: 0.88, reason: light };
    return { tier: "STANDARD", confidence: rounded(0.85 - doubt), reason: `${light}, but it has criteria or a link` };
  }
  if (standard !== null) return { tier: "STANDARD", confidence: 0.85, reason: standard };
  return { tier: "STANDARD", confidence: 0.5, reason: "nothing says otherwise" };
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

/** Maximum number of words that are read: a goal's text may be as long as a book. */
const mostWords = 400;

function wordsOf(content: string): readonly string[] {
  return content
    .slice(0, 20_000)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, mostWords);
}

const asks = new Set([
  "explain",
  "describe",
  "what",
  "why",
  "how",
  "where",
  "who",
  "research",
  "explore",
  "brainstorm",
]);
const changes = new Set(
  "add build change correct create delete drop fix implement introduce migrate move refactor remove rename replace rewrite support update upgrade write".split(
    " ",
  ),
);

/** Verbs that are orders at the beginning of a clause, but mostly not elsewhere ("where do we use it?"). */
const orders = new Set("cache ensure keep let make please put set show stop turn use".split(" "));

/**
 * Why a goal only asks something. A risky word alone does not matter, because people also ask about risks. Tags, links, files and criteria
 * mean that it is work.
 */
function exemptReason(goal: TierFacts, words: readonly string[]): string | null {
  const [first, second] = words;
  if (first === undefined || !asks.has(first) || (first === "how" && second === "about")) return null;
  if (words.some((word) => changes.has(word)) || namesWork(goal) || !onlyAsks(goal.content)) return null;
  return `begins with "${first}" and changes nothing`;
}

function namesWork({ tags, linkage, filesAllowed, criteria }: TierFacts): boolean {
  const isTagged = tags.some((each) => strictTags.has(each.toLowerCase()) || lightTags.has(each.toLowerCase()));
  return isTagged || linkage.kind !== "none" || filesAllowed.length > 0 || criteria !== null;
}

/**
 * True when every sentence is a question or asks for an answer, no clause is an order, and no document is named, because a document would
 * be written.
 */
function onlyAsks(content: string): boolean {
  const looked = content.slice(0, 20_000).toLowerCase();
  if (documentName.test(looked)) return false;
  const sentences = looked.split(/(?<=[.?!])\s|\n/).map((each) => each.trim());
  if (!sentences.every((each) => each === "" || each.endsWith("?") || asks.has(firstWord(each)))) return false;
  return !looked.split(/[,.;:?!]\s|\n/).some((clause) => orders.has(firstWord(clause)));
}

const documentName = /[\w-]\.(md|mdx|txt|rst|adoc)\b/;

function firstWord(words: string): string {
  return /[\p{L}\p{N}]+/u.exec(words)?.[0] ?? "";
}

const strictWords = new Set(
  [
    "auth authentication authorisation authorization oauth oidc sso jwt login password passwords credential credentials",
    "secret secrets token tokens encrypt encryption decrypt certificate certificates tls security secure vulnerability xss",
    "csrf injection permission permissions privilege payment payments billing invoice invoices refund database migration",
    "migrations migrate schema refactor refactoring rewrite breaking concurrency transaction transactions gdpr privacy",
  ]
    .join(" ")
    .split(" "),
);
const strictTags = new Set(["security", "architecture", "auth", "database", "migration", "payments", "breaking"]);
const strictPath =
  /(^|\/)(migrations?|auth|security|payments?|billing|\.github|\.ci)(\/|$)|\.sql$|schema\.|(^|\/)dockerfile/i;

function strictReason({ content, tags, filesAllowed }: TierFacts, words: readonly string[]): string | null {
  const word = words.find((each) => strictWords.has(each));
  if (word !== undefined) return `its text says "${word}"`;
  if (/public api|data loss|access control/i.test(content.slice(0, 20_000))) return "its text names a risk";
  const tag = tags.find((each) => strictTags.has(each.toLowerCase()));
  if (tag !== undefined) return `it is tagged ${tag}`;
  const path = filesAllowed.find((each) => strictPath.test(each));
  return path === undefined ? null : `it may change ${path}`;
}

const lightWords = new Set(
  "typo typos spelling comment comments wording whitespace formatting indentation readme changelog docs documentation".split(
    " ",
  ),
);
const lightTags = new Set(["docs", "documentation", "typo", "chore"]);
const documentPath = /(\.(md|mdx|txt|rst|adoc)|(^|\/)docs(\/\*\*|\/\*)?)$/i;

function lightReason({ tags, filesAllowed }: TierFacts, words: readonly string[]): string | null {
  const word = words.find((each) => lightWords.has(each));
  if (word !== undefined) return `its text says "${word}"`;
  const tag = tags.find((each) => lightTags.has(each.toLowerCase()));
  if (tag !== undefined) return `it is tagged ${tag}`;
  if (filesAllowed.length > 0 && filesAllowed.every((each) => documentPath.test(each)))
    return "it may change documents only";
  return null;
}

function standardReason({ linkage, criteria }: TierFacts, words: readonly string[]): string | null {
  if (linkage.kind === "bug") return "it is linked to a bug";
  if (linkage.kind !== "none") return "it is linked to a document";
  if (criteria !== null) return "it has acceptance criteria";
  const verb = words.find((word) => changes.has(word));
  return verb === undefined ? null : `its text says "${verb}"`;
}
