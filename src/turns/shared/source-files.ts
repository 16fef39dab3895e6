import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { readCommitted } from "../../agent/git/repository.ts";
import { cleanText } from "../../core/text.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { forgeOf } from "../../facts/forge.ts";
import { originOf } from "../../facts/origin.ts";
import { longestFile, readNamedFile } from "./named-file.ts";

/** Files of a repository that people name, and where they are read. */

/** Where the files that a request names are read. */
export type SourceFiles =
  /** As they are committed at the base branch. */
  | { readonly type: "base" }
  /** As they lie in the person's repository. */
  | { readonly type: "checkout" }
  /** The same, and a criteria file may also be any file of this machine; relative to `folder` (D51). */
  | { readonly type: "this-machine"; readonly folder: string };

/** A repository as files are read from it. */
export interface RepositorySource {
  readonly root: string;
  readonly baseBranch: string;
  /** Nobody works in our copy of a repository elsewhere: there is only what is committed. */
  readonly hasCheckout: boolean;
  /** Whether it has pull requests whose checks we may read. */
  readonly hasForge: boolean;
}

/** Where this machine reads a repository's files. */
export function repositorySource({ config }: Pick<Deps, "config">, repository: Repository): RepositorySource {
  const { dir: root, remote } = originOf(config, repository);
  const hasForge = forgeOf(config, repository) !== null;
  return { root, baseBranch: repository.baseBranch, hasCheckout: remote === null, hasForge };
}

/** Where a file of the repository is looked for, in words. */
export function repositoryFileWords(
  { root, baseBranch, hasCheckout }: RepositorySource,
  path: string,
  source: SourceFiles,
): string {
  return source.type === "base" || !hasCheckout ? `${baseBranch}:${path}` : resolve(root, path);
}

/** A file of the repository; null when it is missing, too large or lies outside. */
export async function readOf(repository: RepositorySource, path: string, source: SourceFiles): Promise<string | null> {
  if (source.type !== "base" && repository.hasCheckout) return await readInside(repository.root, path);
  return await readCommitted(repository.root, repository.baseBranch, path, longestFile);
}

/** A file of this machine as text; null when it is missing or too large. */
export async function readText(file: string): Promise<string | null> {
  const read = await readNamedFile(file, longestFile);
  return read.type === "read" ? cleanText(read.content.toString("utf8")) : null;
}

async function readInside(root: string, path: string): Promise<string | null> {
  try {
    const file = await realpath(resolve(root, path));
    const inside = relative(await realpath(root), file);
    return inside.startsWith("..") || isAbsolute(inside) ? null : await readText(file);
  } catch {
    return null;
  }
}
