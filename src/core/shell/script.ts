import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

/** A command for a shell as a syntax tree, as far as it can be told without running it. */

/** A longer text is not read: nobody writes such a command, and it may come from an agent. */
export const longest = 20_000;

/** A text with more is not read, either: with each bracket and each `<<` the parser reads a part of the text once more. */
const most = { deep: 50, heredocs: 1_000 } as const;

export interface ShellScript {
  readonly source: string;
  readonly tree: ParsedScript;
  /** Whether a shell would take it as it stands: every quote, bracket and block in it ends. */
  readonly isWhole: boolean;
}

/** The tree of a command. If a part of it does not end (`isWhole`), the tree of what could be read; null: it cannot be read at all. */
export function readScript(source: string): ShellScript | null {
  const tree = source.length > longest || isTooMuch(source) ? null : treeOf(source);
  if (tree === null) return null;
  return {
    source,
    tree,
    get isWhole() {
      return isWhole(tree);
    },
  };
}

/**
 * The trees of a text that may be cut off, or typed for another shell. Line ends of Windows and the `& ` of PowerShell are taken away first.
 * If a quote does not end, each line is read by itself; in a line whose own quote does not end, that quote and all behind it are letters.
 */
export function readLoosely(text: string): readonly ShellScript[] {
  const source = withoutReturns(text).replace(/^\s{0,40}&\s/, "");
  const script = readScript(source);
  if (script === null) return [];
  if (openAt(script) === null) return [script];
  return source.split("\n").flatMap((line) => {
    const own = readScript(line);
    const at = own === null ? null : openAt(own);
    const read = at === null ? own : readScript(line.slice(0, at) + line.slice(at).replace(/\\?(["'`])/g, "\\$1"));
    return read ?? [];
  });
}

/** Where something begins that does not end, and holds a quote. */
function openAt({ source, tree }: ShellScript): number | null {
  const open = tree.errors?.find(({ message }) => message.startsWith("unterminated"));
  return open !== undefined && /["'`]/.test(source.slice(open.pos)) ? open.pos : null;
}

function withoutReturns(text: string): string {
  return text.replace(/\r(?=\n|$)/g, "");
}

function isTooMuch(source: string): boolean {
  if (source.split("<<").length > most.heredocs) return true;
  let depth = 0;
  for (const [sign] of source.matchAll(/[(){}[\]]/g)) {
    depth = "({[".includes(sign) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > most.deep) return true;
  }
  return false;
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

/** A longer text in pieces of whole lines, as far as there are any. */
export function shellPieces(whole: string): readonly string[] {
  const text = withoutReturns(whole);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.length - at > longest ? text.lastIndexOf("\n", at + longest - 1) + 1 : text.length;
    pieces.push(text.slice(at, end > at ? end : at + longest));
    at += pieces.at(-1)?.length ?? longest;
  }
  return pieces;
}

/** The lines of a longer text as it is typed; what is written over several (a loop, a pipe) is one. */
export function linesOf(text: string): readonly string[] {
  return shellPieces(text).flatMap((piece) => {
    const lines: { readonly pos: number; readonly end: number }[] = [];
    for (const { pos, end } of readScript(piece)?.tree.commands ?? []) {
      const before = lines.at(-1);
      const isBehind = before !== undefined && !piece.slice(before.end, pos).includes("\n");
      lines.push({ pos: (isBehind ? lines.pop() : undefined)?.pos ?? pos, end });
    }
    return lines.map(({ pos, end }) => piece.slice(pos, end));
  });
}
