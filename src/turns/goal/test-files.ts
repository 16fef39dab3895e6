import { wordFor } from "../../core/files/found.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds } from "../../core/files/kind.ts";
import { titlesToFind } from "../../core/trials/plan.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import type { TrialEnd } from "./trial.ts";

/** Titles of tests that fail without the work and so prove it. */
export function titlesOf({ asItIs, withoutSource }: SeenTrials): string[] {
  return titlesToFind(asItIs.report, withoutSource.report);
}

/** Test files that ran: found by titles of tests, named by the command, or changed or added by the work. */
export async function testFilesOf(
  deps: Deps,
  { verifying, commit, changed, proof }: Work,
  { verification }: Criterion,
  { files, ...seen }: SeenTrials & { readonly files: readonly string[] },
): Promise<string[]> {
  const kindOf = fileKinds(deps.policy);
  const isTest = (path: string): boolean => kindOf(path).role === "test";
  const command = verification.method === "bash" ? verification.command : "";
  const named = files.filter((path) => isTest(path) && command.includes(path));
  if (seen.asItIs.report === null) return named.slice(0, mostTestFiles);

  const { mirror } = verifying;
  const known = new Set(files);
  const byTitle: string[] = [];
  for (const title of titlesOf(seen)) {
    const naming = known.has(title) ? [title] : await deps.git.filesNaming(mirror, commit, title);
    byTitle.push(...naming.filter((path) => isTest(path)));
  }
  const found = [...new Set([...byTitle, ...named])];
  if (found.length > 0) return found.slice(0, mostTestFiles);
  const ofWork = changed.flatMap(({ path }) => (known.has(path) && isTest(path) ? [path] : []));
  const naming: string[] = [];
  for (const path of proof.source.slice(0, 3))
    naming.push(...(await deps.git.filesNaming(mirror, commit, wordFor(path))));
  const near = [...new Set([...ofWork, ...naming.filter(isTest), ...files.filter(isTest)])];
  return near.slice(0, mostTestFiles);
}

/** A near miss, and how it ended. */
export interface NearMissTrial {
  readonly what: string;
  readonly end: TrialEnd;
  /** The title of a failing test that was added. */
  readonly addedTest?: string;
}

/** The trials of the work as it is, and of the base's source with the work's proof. */
export interface SeenTrials {
  readonly asItIs: TrialEnd;
  readonly withoutSource: TrialEnd;
  /** Runs the criterion on the work with these changes. */
  readonly tries: (what: string, edits: readonly Edit[]) => Promise<TrialEnd>;
  /** The same on the base's source with the work's proof. */
  readonly triesBefore: (what: string, edits: readonly Edit[]) => Promise<TrialEnd>;
}

export const mostTestFiles = 3;
