import type { Command } from "./command.ts";
import { commandGroups } from "./help.ts";
import { findCommand } from "./parse.ts";
import { groupHelp, groupOf, helpOf } from "./usage.ts";

/** The terminal's help: a first page that fits on a screen, and the complete list on request. */

/** Programs that exist only in a terminal, with what they do. */
const programs = [
  ["init", "Write the settings (.env) by asking; tokens and agents are tried as they are typed."],
  ["start", "Start the bot and its workers, as npm start does in a clone."],
  ["watch", "Follow what happens, line by line, until Ctrl-C."],
  ["backup", "Write everything that the bot knows into one file, while it runs."],
  ["restore", "Bring back what cos backup wrote, on a machine without goals."],
  ["done", "Verify this directory against a criteria file; exit 0 when every automated criterion passes."],
  ["verify", "Try published cheats against criteria, and say which would get through."],
  ["stop-hook", "For an agent's stop hook: whether it may stop."],
  ["worklog-hook", "For hooks of an agent's own session: it gets a worklog."],
] as const;

/** True for the name of a program that exists only in a terminal; chats and the console do not know such a command. */
export function isTerminals(word: string): boolean {
  return programs.some(([name]) => name === word.toLowerCase());
}

/** The commands that are used most, in the order in which people need them. */
const sections = [
  ["Begin", ["init", "start", "sample", "doctor", "repo add"]],
  [
    "Every day",
    ["goal add", "autopilot start", "status", "checkpoints", "approve", "goal show", "why", "goal merge", "standup"],
  ],
] as const;

type Named = Pick<Command, "name" | "summary">;

/** Returns the first page: the most used commands, and the names of all others. */
export function firstPage(commands: readonly Named[]): string[] {
  const all = [...commands, ...programs.map(([name, summary]) => ({ name, summary }))];
  const width = Math.max(...sections.flatMap(([, names]) => names.map((name) => name.length)));
  const shown = sections.flatMap(([title, names]) => [
    title,
    ...names.flatMap((name) => {
      const found = all.find((each) => each.name === name);
      return found === undefined ? [] : [`  ${name.padEnd(width)}  ${found.summary}`];
    }),
    "",
  ]);
  const groups = commandGroups(commands).filter(([, members]) => members.length > 1);
  const listed: readonly string[] = sections.flatMap(([, names]) => names);
  const alone = all.filter(
    ({ name }) => !listed.includes(name) && !groups.some(([word]) => name === word || name.startsWith(`${word} `)),
  );
  const wide = Math.max(...groups.map(([word]) => word.length));
  return [
    "Usage: cos <command> [--json] [--help]",
    "",
    ...shown,
    "Everything else",
    ...groups.map(([word, members]) => `  ${word.padEnd(wide)}  ${members.map(({ name }) => rest(name)).join(", ")}`),
    ...folded(
      alone.map(({ name }) => name),
      96,
    ).map((line) => `  ${line}`),
    "",
    "cos help COMMAND says how one is used, cos help all what each does.",
  ];
}

/** Returns a name without its group's word; the whole name for a command that is called like its group. */
function rest(name: string): string {
  return name.split(" ").slice(1).join(" ") || name;
}

/** Returns every command and program in one line each. */
function everything(commands: readonly Named[]): string[] {
  const rows = [...commands.map(({ name, summary }) => [name, summary] as const), ...programs];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
}

/**
 * Returns the output of `cos help WORDS`: the first page, everything, or the help of a command or its group; null when nothing has that
 * name.
 */
export function helpAbout(commands: readonly Command[], words: readonly string[]): string[] | null {
  if (words.length === 0) return firstPage(commands);
  if (words.length === 1 && words[0] === "all") return everything(commands);
  const group = groupOf(commands, words);
  const found = findCommand(commands, words);
  const own = found === null || found.rest.length > 0 ? [] : helpOf(found.command);
  const program = programs.find(([name]) => name === words.join(" "));
  if (program !== undefined)
    return [`cos ${program[0]}${program[0] === "watch" ? " [--json]" : ""}`, `  ${program[1]}`];
  if (own.length + group.length === 0) return null;
  return [...own, ...(own.length > 0 && group.length > 0 ? [""] : []), ...(group.length > 0 ? groupHelp(group) : [])];
}

/** Joins names with commas, in lines of at most `width` characters. */
function folded(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 2 + name.length > width) lines.push(name);
    else lines[lines.length - 1] = `${line}, ${name}`;
  }
  return lines;
}
