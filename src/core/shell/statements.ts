import type {
  CommandArgument,
  CommandNode,
  CompoundList,
  PipelineNode,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
} from "unbash";
import { startedBy } from "./launchers.ts";
import { childrenOf, nodesIn, readScript } from "./script.ts";

/** The statements of a shell command, their pipelines, and the commands in these. */

/** One command of a pipeline: a simple command, or a whole block. */
export interface ShellPiece {
  /** As typed, with a `!` before it. */
  readonly text: string;
  /** The command or block itself, without its redirections. */
  readonly node: Exclude<CommandNode, { readonly type: "Redirected" }>;
  /** The words of the program that is finally started, after launchers. Empty for a block, or a command that only sets variables. */
  readonly words: readonly string[];
  /** The words joined to one line; a block as typed. */
  readonly program: string;
  readonly redirects: readonly Redirection[];
  /** The first variable that a command sets: the `rc` of `rc=$?`. */
  readonly sets: string | undefined;
  readonly source: string;
}

/** Commands that pipes join, and the operator after them. */
export interface Pipeline {
  readonly pieces: readonly ShellPiece[];
  readonly isNegated: boolean;
  readonly behind: "&&" | "||" | "";
}

/** Pipelines up to a `;`, a line end, or an `&`, which runs them in the background. */
export interface ShellStatement {
  readonly pipelines: readonly Pipeline[];
  readonly text: string;
  readonly node: Statement;
  readonly isBeside: boolean;
}

/** The statements of a command. Null when something in it is not closed, or it cannot be parsed. */
export function statementsOf(command: string): readonly ShellStatement[] | null {
  const script = readScript(command);
  return script?.isWhole === true ? statementsIn(script.tree, command) : null;
}

/** The statements of a part of a tree. `source` is the text that was parsed. */
export function statementsIn({ commands }: Script | CompoundList, source: string): readonly ShellStatement[] {
  return commands.map((node) => {
    const { command, background: isBeside = false } = node;
    const joined = command.type === "AndOr" ? command.commands : [command];
    const operators = command.type === "AndOr" ? command.operators : [];
    const pipelines = joined.map((each, index) => pipelineOf(each, operators[index] ?? "", source));
    return { pipelines, text: source.slice(command.pos, command.end), node, isBeside };
  });
}

function pipelineOf(node: PipelineNode, behind: Pipeline["behind"], source: string): Pipeline {
  const { prefixes, commands } = node.type === "Pipeline" ? node : { prefixes: [], commands: [node] };
  const pieces = commands.map((each, index) => pieceOf(each, index === 0 ? node.pos : each.pos, source));
  return { pieces, isNegated: prefixes.some(({ type }) => type === "Negation"), behind };
}

function pieceOf(whole: CommandNode, begin: number, source: string): ShellPiece {
  const node = whole.type === "Redirected" ? whole.command : whole;
  const redirects = whole.type === "Redirected" || whole.type === "Command" ? whole.redirects : [];
  const [first] = node.type === "Command" ? node.prefix : [];
  const sets = first?.type === "Assignment" ? first.name : undefined;
  const text = source.slice(begin, whole.end);
  const words = startedBy(wordsOf(node));
  return { text, node, words, program: node.type === "Command" ? words.join(" ") : text, redirects, sets, source };
}

/** The words of a command as its program receives them, without variable assignments. Empty for other nodes. */
function wordsOf(node: SyntaxNode): readonly string[] {
  if (node.type !== "Command" || node.name === undefined) return [];
  return [node.name, ...node.args].map(valueOf);
}

/** A word without quotes, as the program receives it if nothing is expanded. */
export function valueOf(word: CommandArgument): string {
  return word.type === "Word" ? word.value : word.text;
}

/** The statements in `( … )` and `{ …; }`; null for other pieces. */
export function groupIn({ node, source }: ShellPiece): readonly ShellStatement[] | null {
  return node.type === "Subshell" || node.type === "BraceGroup" ? statementsIn(node.body, source) : null;
}

/** The only piece of a statement. Undefined when there are pipes, operators, or a negation. */
export function onlyPieceOf({ pipelines: [pipeline, ...others] }: ShellStatement): ShellPiece | undefined {
  const [piece, ...more] = pipeline?.pieces ?? [];
  return others.length > 0 || more.length > 0 || pipeline?.isNegated === true ? undefined : piece;
}

const keywords = /^(?:If|For|ArithmeticFor|While|Case|Select|Function|Coproc)$/;

/** True for `if` … `fi`, `for` … `done` and the like, and for functions. */
export function isKeywordBlock({ node }: { readonly node: SyntaxNode }): boolean {
  return keywords.test(node.type);
}

/** The commands in a block, and the `( … )` blocks in it. Commands within words are not included. */
export function piecesWithin({ node, source }: ShellPiece): readonly ShellPiece[] {
  const found: ShellPiece[] = [];
  const left: SyntaxNode[] = [node];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (isCommand(each)) found.push(pieceOf(each, each.pos, source));
    else if (each.type !== "Word" && each.type !== "HereDoc") left.push(...childrenOf(each).reverse());
  }
  return found;
}

function isCommand(node: SyntaxNode): node is Exclude<CommandNode, { readonly type: "Redirected" }> {
  return /^(?:Command|TestCommand|ArithmeticCommand|Subshell)$/.test(node.type);
}

/** True when one of these programs is started anywhere in a part of a tree, directly or through a launcher. */
export function startsIn(node: SyntaxNode, names: RegExp): boolean {
  return nodesIn(node).some((each) => {
    const words = wordsOf(each);
    return words.length > 0 && [words[0], startedBy(words)[0]].some((name) => names.test(name ?? ""));
  });
}
