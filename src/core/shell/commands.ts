import { type Assignment, type Command, forEachChild, type Redirection, type SyntaxNode, type Word } from "unbash";
import { readLoosely } from "./script.ts";
import { startsIn } from "./statements.ts";

/** The simple commands of a line: a program and its words, wherever they stand in it. */

export interface ShellCommand {
  /** From its program on, without variables that are set for it and redirections. */
  readonly words: readonly ShellWord[];
  /** `CI=1`, as it is typed. */
  readonly variables: readonly string[];
  /** What it reads from and writes to: `< a.txt`, `> b.txt`. */
  readonly files: readonly string[];
  /** The text of the line that it reads (`<<`, `<<<`); null: none. */
  readonly input: string | null;
  /** Whether it reads what the command before it prints: `| head`. */
  readonly isFed: boolean;
}

export interface ShellWord {
  /** As it is typed, quotes included. */
  readonly text: string;
  /** As the program gets it, where nothing in it is expanded. */
  readonly value: string;
}

/** A part of a tree that is still to be looked at, and whether it reads what the command before it prints. */
interface Place {
  readonly node: SyntaxNode;
  readonly isFed: boolean;
}

/** Of more commands only the first are read: nobody types so many in one line. */
const most = 2_000;

/**
 * All simple commands of a line in their order. Those in blocks, functions and `$( … )` count; text in quotes and text that a program reads
 * (`<<`) does not. Of a line whose quote or block does not end, it returns the commands that could be read, perhaps none.
 */
export function commandsOf(line: string): readonly ShellCommand[] {
  return commandsIn(line, () => true);
}

/**
 * The simple commands that a line always runs, or runs when the one before has passed. Left out are conditions, functions, `$( … )` and what
 * stands behind `||`. The body of an `if` counts when it has no `else` and its condition does not ask whether a program is there.
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

/** `CI=1` behind a program is a word as others are. */
function wordOf(word: Word | Assignment): ShellWord {
  return { text: word.text, value: word.type === "Word" ? word.value : word.text };
}

/** The parts of a part of a tree, in their order, without text that a program reads (`<<`). */
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

/** Whether what stands in it reads what comes into it. */
function isBlock(node: SyntaxNode): boolean {
  return node.type !== "CommandExpansion" && node.type !== "ProcessSubstitution";
}
