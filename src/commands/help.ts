import { linesCard } from "../core/cards/lists.ts";
import { type Command, done } from "./command.ts";
import { usageOf } from "./parse.ts";

/** Help generated from the registry it is given. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "Every command in one line.",
    access: "read",
    positionals: [],
    options: {},
    run: async () => {
      const value = commands().map((command) => ({
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
