import { type Document, isAlias, isNode, isPair, isScalar, Scalar, visit } from "yaml";

/** What YAML takes of a text for itself, where the one who wrote it may have meant it as words. */

export interface Mark {
  readonly at: number;
  readonly problem: string;
}

const howToKeep = "put the text in quotes, or behind | on lines of its own";

/** Tags and anchors that a text begins with and nothing asks for, and comments that begin within quotes. */
export function marksIn(document: Document): readonly Mark[] {
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  const found: Mark[] = [];
  visit(document, {
    Node(key, node, path) {
      if (isAlias(node) || key === "key") return;
      const at = node.range?.[0] ?? 0;
      const { tag, anchor } = node;
      // Those of YAML's own are asked for: `!!str 1`.
      if (tag !== undefined && !tag.startsWith("tag:yaml.org,")) found.push({ at, problem: taken(tag, "tag") });
      if (anchor !== undefined && !used.has(anchor)) found.push({ at, problem: taken(`&${anchor}`, "anchor") });
      const pair = path.at(-1);
      const comment = isScalar(node) && node.type === Scalar.PLAIN ? node.comment : null;
      if (comment != null && isPair(pair) && isNode(pair.value) && isCutInQuotes(String(node.toJSON())))
        found.push({ at, problem: `" #" begins a comment, and what is behind it is no part of this: ${howToKeep}` });
    },
  });
  return found;
}

function taken(mark: string, what: string): string {
  return `"${mark.slice(0, 40)}" at its beginning is a YAML ${what} and no part of the text: ${howToKeep}`;
}

/** Whether a text ends before a quotation of it does. */
function isCutInQuotes(text: string): boolean {
  return ['"', "'"].some((mark) => text.split(mark).length % 2 === 0);
}
