import type { PassCondition } from "./pass-condition.ts";

/** What of a shell command may fail without anybody seeing it, since another part of it decides how the whole ends. */

/** A simple command, and the operator that stands behind it. */
interface Piece {
  readonly text: string;
  readonly behind: string;
}

const operator = /^(?:&&|\|\||\|&|[|;\n]|&(?!>))/;

/** Words with which something begins that is more than a row of commands: it is not judged. */
const compound = /^(?:if|for|while|until|case|select|function|then|else|do|done|fi|esac|[{}(!]|\w+\(\))/;

/** What only prepares or prints: nobody wants to know how it ends. */
const preparing =
  /^(?:\w+=|(?:export|unset|set|trap|umask|ulimit|alias|echo|printf|:|true|sleep|wait|kill|rm|mkdir|touch|cat|ls|pwd|date|yes|seq)(?:\s|$))/;

/** Programs that end well, whatever they are given. */
const endingWell = /^(?:tail|head|tee|cat|less|more|sort|uniq|tr|cut|wc|column|nl|fold)(?:\s|$)/;

/** What is to be told to whoever writes such a command; nothing where its output decides, or where it is more than a row of commands. */
export function commandSlips(command: string, condition: PassCondition): string[] {
  if (condition.parts.some((part) => part.type !== "exit-code" || part.exitCode !== 0)) return [];
  const pieces = piecesOf(command);
  if (pieces === null || pieces.some(({ text }) => compound.test(text))) return [];
  const unseen = isStrict(pieces) ? undefined : unseenIn(pieces);
  const lost = pieces.some(({ text }) => /^set\s.*\bpipefail\b/.test(text)) ? undefined : lostIn(pieces);
  return [
    ...(unseen === undefined
      ? []
      : [`${named(unseen)} may fail unseen, the last command decides: join them with &&, or begin with "set -e"`]),
    ...(lost === undefined
      ? []
      : [`${named(lost)} may fail unseen, what is behind its | decides: leave that away, the output is kept`]),
  ];
}

function named({ text }: Piece): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function isStrict([first]: readonly Piece[]): boolean {
  return first !== undefined && /^set\s+-[a-z]*e/.test(first.text);
}

/** The first command before the last statement whose end nothing asks for. */
function unseenIn(pieces: readonly Piece[]): Piece | undefined {
  let start = 0;
  for (const [index, { behind }] of pieces.entries()) {
    if (index === pieces.length - 1 || !/^[;\n&]$/.test(behind)) continue;
    const statement = pieces.slice(start, index + 1);
    start = index + 1;
    const isAsked = behind === "&" || statement.some((each) => each.behind === "||");
    const found = statement.find(({ text }) => !preparing.test(text));
    if (!isAsked && found !== undefined && pieces[start]?.text.includes("$?") !== true) return found;
  }
  return undefined;
}

/** The command before a pipe that ends in a program which always ends well. */
function lostIn(pieces: readonly Piece[]): Piece | undefined {
  return pieces.find(
    ({ text, behind }, index) =>
      /^\|&?$/.test(behind) && !preparing.test(text) && endingWell.test(pieces[index + 1]?.text ?? ""),
  );
}

/** The commands of a line or several; null where a text within it goes over lines of its own (`<<`), or does not end. */
function piecesOf(command: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let text = "";
  let depth = 0;
  const end = (behind: string): void => {
    // A line that goes on below, and one that is empty, end nothing.
    if (text.trim() !== "") pieces.push({ text: text.trim(), behind });
    text = "";
  };
  for (let at = 0; at < command.length; ) {
    const skipped = skippedAt(command, at, text);
    if (skipped === null) return null;
    const sign = command[at] ?? "";
    const [found = ""] = depth > 0 || skipped !== "" ? [] : (operator.exec(command.slice(at, at + 3)) ?? []);
    if (sign === "(" && skipped === "") depth += 1;
    if (sign === ")" && skipped === "") depth -= 1;
    if (found === "" || (found === "&" && text.endsWith(">"))) {
      const taken = skipped === "" ? sign : skipped;
      text += taken.startsWith("#") ? "" : taken;
      at += taken.length;
      continue;
    }
    end(found);
    at += found.length;
  }
  end("");
  return pieces;
}

/** What stands at a place and holds no operator: a text in quotes, a sign behind a backslash, a comment. Null: it cannot be told. */
function skippedAt(command: string, at: number, before: string): string | null {
  const sign = command[at] ?? "";
  if (sign === "\\") return command.slice(at, at + 2);
  if (command.startsWith("<<", at)) return null;
  if (sign === "#" && /^$|\s$/.test(before.slice(-1))) return commentAt(command, at);
  if (sign !== "'" && sign !== '"' && sign !== "`") return "";
  for (let last = at + 1; last < command.length; last += 1) {
    if (command[last] === "\\" && sign !== "'") last += 1;
    else if (command[last] === sign) return command.slice(at, last + 1);
  }
  return null;
}

function commentAt(command: string, at: number): string {
  const end = command.indexOf("\n", at);
  return command.slice(at, end === -1 ? command.length : end);
}
