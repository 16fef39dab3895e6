import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

/** Parses a shell command into a syntax tree, without running it. */

/** Maximum length of a text that is parsed. Nobody writes longer commands, and the text may come from an agent. */
export const longest = 20_000;

/** Limits on nesting and heredocs. For each bracket and each `<<`, the parser reads a part of the text again. */
const most = { deep: 50, heredocs: 1_000 } as const;

export interface ShellScript {
  readonly source: string;
  readonly tree: ParsedScript;
  /** True when a shell would accept the text: every quote, bracket and block is closed. */
  readonly isWhole: boolean;
}

/**
 * The tree of a command. If a part of it is not closed (`isWhole` is false), the tree of what could be parsed. Null when it cannot be
 * parsed at all.
 */
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
 * The trees of a text that may be cut off, or was written for another shell. Windows line ends and PowerShell's `& ` are removed first. If
 * a quote is not closed, each line is parsed by itself. In a line with its own unclosed quote, that quote and later ones are escaped.
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

/** The offset at which an unclosed construct with a quote begins. */
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

/** The only error that the parser throws is a RangeError for too deep nesting. Source: a test with 40 kinds of nesting. */
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

/** A node and all nodes below it. */
export function nodesIn(node: SyntaxNode): readonly SyntaxNode[] {
  const found = [node];
  // The array grows during iteration, so new nodes are visited too.
  for (const each of found) for (const child of childrenOf(each)) found.push(child);
  return found;
}

/** The direct children of a node, in order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  return children;
}

/** Splits a long text into pieces, at line ends where possible. */
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

/** The lines of a longer text as typed. A construct over several lines (a loop, a pipe) is one line. */
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
