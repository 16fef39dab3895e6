import { linesCard } from "../core/cards/lists.ts";
import { type Command, done, refused, word } from "./command.ts";
import { findCommand, groupOf, usageOf } from "./parse.ts";

function aboutGroup(commands: readonly Command[], group: string): readonly Command[] {
  const words = group.split(" ");
  const found = findCommand(commands, words);
  return [...(found === null ? [] : [found.command]), ...groupOf(commands, words)];
}

/** Help generated from the registry it is given. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "Every command in one line, or those of a group: help goal.",
    access: "read",
    positionals: [{ name: "group", required: false, rest: true }],
    options: {},
    run: async (_deps, _caller, given) => {
      const group = word(given, "group");
      const about = group === "" ? commands() : aboutGroup(commands(), group);
      if (about.length === 0) return refused(`no command begins with ${JSON.stringify(group)}`, "cos help");
      const value = about.map((command) => ({
        name: command.name,
        usage: usageOf(command),
        summary: command.summary,
      }));
      const width = Math.max(...value.map((each) => each.name.length));
      const lines = value.map((each) => [{ code: `cos ${each.name.padEnd(width)}` }, `  ${each.summary}`]);
      return done(value, linesCard("Commands (each takes --help and --json)", lines));
    },
  };
}
