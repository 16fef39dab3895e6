import { safeOutput } from "../../core/secrets/mask.ts";

/** The commands that an agent's tool calls ran, by the calls' ids and titles. */
export interface CommandsRun {
  began(toolCallId: string, title: string): void;
  /** Sets a later title of a call. Ignored for a call that runs no command. */
  titled(toolCallId: string, title: string): void;
  /** The titles, masked, in the order in which the commands began. */
  titles(secrets: readonly string[]): string[];
}

/** Maximum number of commands whose titles are kept. */
const mostCommands = 500;
const longestTitle = 2_000;

/** Keeps the titles of at most `mostCommands` commands, each cut to `longestTitle` characters and without secrets. */
export function openCommandsRun(): CommandsRun {
  const titles = new Map<string, string>();
  const keep = (toolCallId: string, title: string) => void titles.set(toolCallId, title.slice(0, longestTitle));
  return {
    began(toolCallId, title) {
      if (titles.size < mostCommands) keep(toolCallId, title);
    },
    titled(toolCallId, title) {
      if (titles.has(toolCallId)) keep(toolCallId, title);
    },
    titles: (secrets) => [...titles.values()].map((title) => safeOutput(title, secrets)),
  };
}
