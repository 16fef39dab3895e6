import type { SourceFiles } from "../turns/shared/source-files.ts";
import type { Caller } from "./command.ts";

/**
 * Where files that a call names are read: the terminal's person may name any file of the machine; a person in a chat only
 * files of the repository as they are committed at its base branch (D51).
 */
export function sourceFor({ via }: Pick<Caller, "via">): SourceFiles {
  switch (via) {
    case "terminal":
      return { type: "this-machine", folder: process.cwd() };
    case "console":
      return { type: "checkout" };
    case "slack":
    case "discord":
      return { type: "base" };
  }
}
