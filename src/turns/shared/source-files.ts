import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { readCommitted } from "../../agent/git/repository.ts";
import { leadsOut } from "../../core/files/path.ts";
import { cleanText } from "../../core/text.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { forgeOf } from "../../facts/forge.ts";
import { originOf } from "../../facts/origin.ts";
import { longestFile, readNamedFile } from "./named-file.ts";

/** Reads files that people name, from a repository or from this machine. */

/** The place from which the files of a request are read. */
export type SourceFiles =
  /** The base branch, as committed. */
  | { readonly type: "base" }
  /** The working copy of the person's repository. */
  | { readonly type: "checkout" }
  /** The same. A criteria file may also be any file of this machine, relative to `folder` (D51). */
  | { readonly type: "this-machine"; readonly folder: string };

/** The facts about a repository that reading its files needs. */
export interface RepositorySource {
  readonly root: string;
  readonly baseBranch: string;
  /** False for our copy of a remote repository, which has only committed files. */
  readonly hasCheckout: boolean;
  /** True when it is at a forge whose checks we may read. */
  readonly hasForge: boolean;
}

/** Returns where this machine reads a repository's files. */
export function repositorySource({ config }: Pick<Deps, "config">, repository: Repository): RepositorySource {
  const { dir: root, remote } = originOf(config, repository);
  const hasForge = forgeOf(config, repository) !== null;
  return { root, baseBranch: repository.baseBranch, hasCheckout: remote === null, hasForge };
}

/** Returns the place at which a file of the repository is looked for, as text. */
export function repositoryFileWords(
  { root, baseBranch, hasCheckout }: RepositorySource,
  path: string,
  source: SourceFiles,
): string {
  return source.type === "base" || !hasCheckout ? `${baseBranch}:${path}` : resolve(root, path);
}

/** Reads a file of the repository. Null when it is missing, too large or outside the repository. */
export async function readOf(repository: RepositorySource, path: string, source: SourceFiles): Promise<string | null> {
  if (source.type !== "base" && repository.hasCheckout) return await readInside(repository.root, path);
  return await readCommitted(repository.root, repository.baseBranch, path, longestFile);
}

/** Reads a file of this machine as text. Null when it is missing or too large. */
export async function readText(file: string): Promise<string | null> {
  const read = await readNamedFile(file, longestFile);
  return read.type === "read" ? cleanText(read.content.toString("utf8")) : null;
}

async function readInside(root: string, path: string): Promise<string | null> {
  try {
    const file = await realpath(resolve(root, path));
    const inside = relative(await realpath(root), file);
    return leadsOut(inside) || isAbsolute(inside) ? null : await readText(file);
  } catch {
    return null;
  }
}
