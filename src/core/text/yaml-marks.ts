import { type Document, isAlias, isScalar, Scalar, visit } from "yaml";
import { quotationsIn } from "./quotations.ts";

/** YAML syntax that the author of a text may have meant as words. */

export interface YamlMark {
  readonly at: number;
  readonly problem: string;
}

const howToKeep = "put the text in quotes, or behind | on lines of its own";

/** Returns tags and unused anchors at the beginning of texts, and comments that begin within quotation marks. */
export function marksIn(document: Document): readonly YamlMark[] {
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  const found: YamlMark[] = [];
  visit(document, {
    Node(key, node) {
      if (isAlias(node) || key === "key") return;
      const at = node.range?.[0] ?? 0;
      const { tag, anchor } = node;
      // YAML's own tags are intended: `!!str 1`.
      if (tag !== undefined && !tag.startsWith("tag:yaml.org,")) found.push({ at, problem: taken(tag, "tag") });
      if (anchor !== undefined && !used.has(anchor)) found.push({ at, problem: taken(`&${anchor}`, "anchor") });
      const comment = isScalar(node) && node.type === Scalar.PLAIN ? node.comment : null;
      if (comment != null && isScalar(node) && isCutInQuotes(node.source ?? "", comment))
        found.push({ at, problem: `" #" begins a comment, and what is behind it is no part of this: ${howToKeep}` });
    },
  });
  return found;
}

function taken(mark: string, what: string): string {
  return `"${mark.slice(0, 40)}" at its beginning is a YAML ${what} and no part of the text: ${howToKeep}`;
}

/** True when a quotation begins in a text and ends in the comment after it. */
function isCutInQuotes(text: string, comment: string): boolean {
  const { open } = quotationsIn(text, "prose");
  return open !== "" && comment.includes(open);
}
