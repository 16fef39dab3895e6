import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

/** A command for a shell as a syntax tree, as far as it can be told without running it. */

/** A longer text is not read: nobody writes such a command, and it may come from an agent. */
const longest = 20_000;

export interface ShellScript {
  readonly source: string;
  readonly tree: ParsedScript;
  /** Whether a shell would take it as it stands: every quote, bracket and block in it ends. */
  readonly isWhole: boolean;
}

/** The tree of a command, of what could be read of it where it does not end (`isWhole`); null where nothing can be told. */
export function readScript(source: string): ShellScript | null {
  const tree = source.length > longest ? null : treeOf(source);
  return tree === null ? null : { source, tree, isWhole: isWhole(tree) };
}

/** Blocks that lie too deep within each other for the parser are its only error. Sources: it was tried with 40 kinds of nesting. */
function treeOf(source: string): ParsedScript | null {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isWhole(tree: ParsedScript): boolean {
  return nodesIn(tree).every((node) => node.type !== "Script" || (node.errors ?? []).length === 0);
}

/** A part of a tree and all that stands in it, however deep. */
export function nodesIn(node: SyntaxNode): readonly SyntaxNode[] {
  const found = [node];
  // What is added while it is gone through is gone through, too.
  for (const each of found) for (const child of childrenOf(each)) found.push(child);
  return found;
}

/** What stands right within a part of a tree, in its order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  return children;
}
