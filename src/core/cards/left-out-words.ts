import { count, shorten, shownPath } from "../text.ts";
import { type CardBlock, text } from "./card.ts";

/** Files that an agent left and git could not add, by name. The name of a folder ends in "/". */
export interface LeftOutFiles {
  readonly paths: readonly string[];
  /** The number of all such files. `paths` may name fewer. */
  readonly count: number;
}

const mostNamed = 10;

/**
 * "secret.txt, cache/ and 3 more files (git could not read them, they have names that git uses for its own files, or they lie in a
 * submodule)".
 */
export function leftOutWords(paths: readonly string[], all: number): string {
  const named = paths.slice(0, mostNamed).map((path) => shorten(shownPath(path), 100));
  const more = all > named.length ? ` and ${count(all - named.length, "more file")}` : "";
  return `${named.join(", ")}${more} (git could not read them, they have names that git uses for its own files, or they lie in a submodule)`;
}

/** For a goal's card: the verified commit contains none of these files. */
export function leftOutBlocks({ paths, count: all }: LeftOutFiles): CardBlock[] {
  return all === 0 ? [] : [text({ strong: "Not in the commit: " }, `${leftOutWords(paths, all)}.`)];
}
