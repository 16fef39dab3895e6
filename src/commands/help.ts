import type { Span } from "../core/cards/card.ts";
import { linesCard } from "../core/cards/lists.ts";
import { meantWords } from "../core/text/nearest.ts";
import { findCommand } from "./parse.ts";
import { groupOf, usageOf } from "./usage.ts";
import { type Command, command, done, refused } from "./command.ts";
import { restOfLine } from "./fields.ts";

const heading = "Commands (each takes --help and --json)";

/** The commands that are used most, listed first; the others are listed in one line per group. */
const firstNames = ["goal add", "autopilot start", "checkpoints", "approve", "standup"];

type Line = readonly Span[];
type Named = Pick<Command, "name" | "summary">;

function inLines(commands: readonly Named[]): Line[] {
  const width = Math.max(...commands.map((each) => each.name.length));
  return commands.map((each) => [{ command: each.name.padEnd(width) }, `  ${each.summary}`]);
}

/** Groups commands by the first word of their names, in the order of the registry. */
export function commandGroups<Each extends Named>(commands: readonly Each[]): [string, Each[]][] {
  const groups = new Map<string, Each[]>();
  for (const each of commands) {
    const [word = ""] = each.name.split(" ");
    groups.set(word, [...(groups.get(word) ?? []), each]);
  }
  return [...groups];
}

function overview(commands: readonly Named[]): Line[] {
  const first = firstNames.flatMap((name) => commands.find((each) => each.name === name) ?? []);
  const groups = commandGroups(commands).map(([word, members]): [string, string[]] => [
    word,
    members.map(({ name }) => name.slice(word.length).trim()),
  ]);
  const several = groups.filter(([, names]) => names.length > 1);
  const single = groups.flatMap(([word, names]) => (names.length === 1 ? [`${word} ${names[0]}`.trim()] : []));
  return [
    ...inLines(first),
    ...several.map(
      ([word, names]): Line => [{ command: `help ${word}` }, `  ${names.filter((name) => name !== "").join(", ")}`],
    ),
    ["Each by itself: ", single.join(", "), "."],
  ];
}

function aboutGroup(commands: readonly Command[], group: string): readonly Command[] {
  const words = group.split(" ");
  const found = findCommand(commands, words);
  return [...(found === null ? [] : [found.command]), ...groupOf(commands, words)];
}

/** Makes the help command for the registry. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return command({
    name: "help",
    summary: "Every command in one line, or those of a group: help goal.",
    access: "anybody",
    positionals: { group: restOfLine().optional() },
    run: async (_deps, { via }, { group }) => {
      const about = group === undefined ? commands() : aboutGroup(commands(), group);
      if (about.length === 0)
        return refused(
          `no command begins with ${JSON.stringify(group)}${meantWords(group ?? "", [...new Set(commands().map((each) => each.name.split(" ")[0] ?? ""))])}`,
          "cos help",
        );
      const where = via === "terminal" ? "terminal" : "elsewhere";
      const value = about.map((each) => ({ name: each.name, usage: usageOf(each, where), summary: each.summary }));
      return done(value, linesCard(heading, group === undefined ? overview(value) : inLines(value)));
    },
  });
}
