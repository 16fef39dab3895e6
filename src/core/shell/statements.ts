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

/** The statements of a shell, what is joined in them, and what their pipes join. */

/** What stands between pipes: a simple command, or a block as a whole. */
export interface ShellPiece {
  /** As it is typed, with a `!` before it. */
  readonly text: string;
  /** The command or block itself, without what only redirects. */
  readonly node: Exclude<CommandNode, { readonly type: "Redirected" }>;
  /** Of a command, from the program on that is started in the end, as it gets them; none where it only sets, and of a block. */
  readonly words: readonly string[];
  /** The same in one line; a block as it is typed. */
  readonly program: string;
  readonly redirects: readonly Redirection[];
  /** The variable that a command sets first: the `rc` of `rc=$?`. */
  readonly sets: string | undefined;
  readonly source: string;
}

/** What pipes join, and what stands behind the last of them. */
export interface Pipeline {
  readonly pieces: readonly ShellPiece[];
  readonly isNegated: boolean;
  readonly behind: "&&" | "||" | "";
}

/** Pipelines up to a `;`, an end of line or an `&`, which leaves them to run beside the others. */
export interface ShellStatement {
  readonly pipelines: readonly Pipeline[];
  readonly text: string;
  readonly node: Statement;
  readonly isBeside: boolean;
}

/** The statements of a command; null where something in it does not end, or it cannot be told. */
export function statementsOf(command: string): readonly ShellStatement[] | null {
  const script = readScript(command);
  return script?.isWhole === true ? statementsIn(script.tree, command) : null;
}

/** The statements of a part of a tree, in the text in which it stands. */
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

/** The words of a command as it gets them, without variables that are set for it; none of what is no command. */
function wordsOf(node: SyntaxNode): readonly string[] {
  if (node.type !== "Command" || node.name === undefined) return [];
  return [node.name, ...node.args].map(valueOf);
}

/** A word as the program gets it, where nothing in it is expanded. */
export function valueOf(word: CommandArgument): string {
  return word.type === "Word" ? word.value : word.text;
}

/** What stands in `( … )` and `{ …; }`; null for what is neither. */
export function groupIn({ node, source }: ShellPiece): readonly ShellStatement[] | null {
  return node.type === "Subshell" || node.type === "BraceGroup" ? statementsIn(node.body, source) : null;
}

/** The only piece of a statement; nothing where pipes or others are joined to it, or it is negated. */
export function onlyPieceOf({ pipelines: [pipeline, ...others] }: ShellStatement): ShellPiece | undefined {
  const [piece, ...more] = pipeline?.pieces ?? [];
  return others.length > 0 || more.length > 0 || pipeline?.isNegated === true ? undefined : piece;
}

const keywords = /^(?:If|For|ArithmeticFor|While|Case|Select|Function|Coproc)$/;

/** What lies between `if` and `fi`, `for` and `done` and the like; functions. */
export function isKeywordBlock({ node }: { readonly node: SyntaxNode }): boolean {
  return keywords.test(node.type);
}

/** The commands that a block is made of, and the blocks in it that a shell of their own runs: `( … )`; without what its words hold. */
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

/** Whether one of these programs is started somewhere in a part of a tree, by itself or by another one. */
export function startsIn(node: SyntaxNode, names: RegExp): boolean {
  return nodesIn(node).some((each) => {
    const words = wordsOf(each);
    return words.length > 0 && [words[0], startedBy(words)[0]].some((name) => names.test(name ?? ""));
  });
}
