import { linesCard } from "../core/cards/lists.ts";
import { findCommand, groupOf, usageOf } from "./parse.ts";
import { type Command, command, done, refused } from "./command.ts";
import { restOfLine } from "./fields.ts";

function aboutGroup(commands: readonly Command[], group: string): readonly Command[] {
  const words = group.split(" ");
  const found = findCommand(commands, words);
  return [...(found === null ? [] : [found.command]), ...groupOf(commands, words)];
}

/** Help generated from the registry it is given. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return command({
    name: "help",
    summary: "Every command in one line, or those of a group: help goal.",
    access: "anybody",
    positionals: { group: restOfLine().optional() },
    run: async (_deps, _caller, { group }) => {
      const about = group === undefined ? commands() : aboutGroup(commands(), group);
      if (about.length === 0) return refused(`no command begins with ${JSON.stringify(group)}`, "cos help");
      const value = about.map((each) => ({ name: each.name, usage: usageOf(each), summary: each.summary }));
      const width = Math.max(...value.map((each) => each.name.length));
      const lines = value.map((each) => [{ command: each.name.padEnd(width) }, `  ${each.summary}`]);
      return done(value, linesCard("Commands (each takes --help and --json)", lines));
    },
  });
}
