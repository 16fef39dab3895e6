import { type Assignment, type Command, forEachChild, type Redirection, type SyntaxNode, type Word } from "unbash";
import { readLoosely } from "./script.ts";
import { startsIn } from "./statements.ts";

/** Finds the simple commands of a line: a program and its words, anywhere in it. */

export interface ShellCommand {
  /** The words from the program on, without variable assignments and redirections. */
  readonly words: readonly ShellWord[];
  /** Assignments before the program, as typed: `CI=1`. */
  readonly variables: readonly string[];
  /** Files that it reads from and writes to: `< a.txt`, `> b.txt`. */
  readonly files: readonly string[];
  /** The text that it reads from the line (`<<`, `<<<`); null when there is none. */
  readonly input: string | null;
  /** True when it reads the output of the command before it: `| head`. */
  readonly isFed: boolean;
}

export interface ShellWord {
  /** As typed, with quotes. */
  readonly text: string;
  /** As the program receives it, if nothing is expanded. */
  readonly value: string;
}

/** A node that is still to be visited, and whether it reads the output of the command before it. */
interface Place {
  readonly node: SyntaxNode;
  readonly isFed: boolean;
}

/** Maximum number of commands that are read; nobody types that many in one line. */
const most = 2_000;

/**
 * All simple commands of a line in their order. Those in blocks, functions and `$( … )` count; text in quotes and text that a program reads
 * (`<<`) does not. Of a line whose quote or block does not end, it returns the commands that could be read, perhaps none.
 */
export function commandsOf(line: string): readonly ShellCommand[] {
  return commandsIn(line, () => true);
}

/**
 * The simple commands that a line always runs, or runs when the previous one succeeds. Conditions, functions, `$( … )` and commands after
 * `||` are left out. The body of an `if` counts when it has no `else` and its condition does not ask whether a program exists.
 */
export function ownCommandsOf(line: string): readonly ShellCommand[] {
  return commandsIn(line, isOwn);
}

function isOwn(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === "AndOr") {
    const at = parent.commands.findIndex((each) => each === node);
    if (parent.operators[at - 1] === "||") return false;
  }
  if (parent.type === "If")
    return node === parent.then && parent.else === undefined && parent.elif.length === 0 && !asks(parent.clause);
  return /^(?:Statement|AndOr|Pipeline|CompoundList|Subshell|BraceGroup|Redirected|For|If|Command)$/.test(node.type);
}

function asks(condition: SyntaxNode): boolean {
  return startsIn(condition, /^(?:command|which|type|hash)$/);
}

function commandsIn(
  line: string,
  goesInto: (node: SyntaxNode, parent: SyntaxNode) => boolean,
): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  const scripts = readLoosely(line).map(({ tree }) => ({ node: tree, isFed: false }));
  const left: Place[] = scripts.reverse();
  for (let place = left.pop(); place !== undefined && found.length < most; place = left.pop()) {
    const { node: parent, isFed } = place;
    if (parent.type === "Command" && parent.name !== undefined) found.push(commandAt(parent, isFed));
    const inner = within(place).filter(({ node }) => goesInto(node, parent));
    left.push(...inner.reverse());
  }
  return found;
}

function commandAt(command: Command, isFed: boolean): ShellCommand {
  const words = [...(command.name === undefined ? [] : [command.name]), ...command.args].map(wordOf);
  const variables = command.prefix.flatMap((each) => (each.type === "Assignment" ? [each.text] : []));
  const files = command.redirects.flatMap((each) =>
    each.type === "Redirect" && !each.operator.endsWith("&") ? (each.target?.value ?? []) : [],
  );
  const input = command.redirects.map(inputOf).find((each) => each !== null) ?? null;
  return { words, variables, files, input, isFed };
}

function inputOf(redirection: Redirection): string | null {
  if (redirection.type === "HereDoc") return redirection.body.text;
  return redirection.type === "HereString" ? (redirection.target?.value ?? null) : null;
}

/** `CI=1` after a program is an ordinary word. */
function wordOf(word: Word | Assignment): ShellWord {
  return { text: word.text, value: word.type === "Word" ? word.value : word.text };
}

/** The children of a node in order, without heredoc text. */
function within({ node, isFed }: Place): Place[] {
  const inner: Place[] = [];
  const isOfPipe = node.type === "Pipeline";
  let index = 0;
  forEachChild(node, (child) => {
    if (child.type === "HereDocBody") return;
    const isStage = isOfPipe && child.type !== "Time" && child.type !== "Negation";
    inner.push({ node: child, isFed: isStage ? index > 0 : isFed && isBlock(node) });
    if (isStage) index += 1;
  });
  return inner;
}

/** True when the contents of a node read the node's input. */
function isBlock(node: SyntaxNode): boolean {
  return node.type !== "CommandExpansion" && node.type !== "ProcessSubstitution";
}
