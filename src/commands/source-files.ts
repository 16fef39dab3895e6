import type { SourceFiles } from "../turns/shared/source-files.ts";
import type { Caller } from "./command.ts";

/**
 * Returns where the files that a call names are read. A person in the terminal may name any file of the machine. A person in a chat may
 * name only files of the repository as committed on its base branch (D51).
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
