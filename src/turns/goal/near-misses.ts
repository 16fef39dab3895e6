import { wordFor } from "./frozen-files.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds, isProgram } from "../../core/files/kind.ts";
import { brokenFile, type Edit, failingTest, sourceMisses, testMisses } from "../../core/trials/near-miss.ts";
import { addedLines, titlesToFind } from "../../core/trials/plan.ts";
import type { Deps } from "../../deps.ts";
import type { TrialEnd } from "./trial-run.ts";
import type { Work } from "./trials.ts";

/** A near miss to try; `end` where it is known how it ended. */
export interface ToTry {
  readonly what: string;
  readonly edits: readonly Edit[];
  readonly end?: TrialEnd;
}

/** What was seen of the work, and of the base's source with its proof. */
interface Seen {
  readonly asItIs: TrialEnd;
  readonly withoutSource: TrialEnd;
}

const mostTestFiles = 3;
const mostSourceFiles = 5;
const mostBroken = 300;
const longestPatch = 300_000;

/**
 * Near misses, the most telling first (PROOF.md): one literal in a test file that ran; one value or operator in the changed
 * lines of source; for a command that reports no tests, the changed files broken or gone, then all source.
 */
export async function* nearMissesOf(deps: Deps, work: Work, criterion: Criterion, seen: Seen): AsyncGenerator<ToTry> {
  if (seen.asItIs.result !== "pass") return;
  const files = await deps.git.filesAt(work.verifying.mirror, work.commit);
  const tests = await testFilesOf(deps, work, criterion, { ...seen, files });
  let hasTried = false;
  let isAsserted = false;
  for (const path of tests) {
    const text = await textOf(deps, work, path);
    const edits = text === null ? [] : testMisses(path, text, titlesOf(seen));
    const added = text === null || edits.length > 0 ? null : failingTest(path, text);
    for (const each of added === null ? edits : [added]) {
      hasTried = true;
      isAsserted ||= each.isAsserted ?? false;
      yield { what: each.what, edits: [each] };
    }
  }
  if (seen.asItIs.report !== null) {
    // What a test that proves asserts was changed, and it passed: no change of the source makes up for that.
    const isProving = seen.asItIs.report.type === "names" && seen.withoutSource.result === "fail";
    if (!isProving || !isAsserted) yield* inSource(deps, work);
    return;
  }
  if (hasTried) return;
  if (seen.withoutSource.result === "fail") {
    yield { what: "the changed files as they were before", edits: [], end: seen.withoutSource };
    return;
  }
  yield* broken(deps, work, files);
}

function titlesOf({ asItIs, withoutSource }: Seen): string[] {
  return titlesToFind(asItIs.report, withoutSource.report);
}

/** Test files that ran: by the titles of tests, by what the work changed or added, or because the command names them. */
async function testFilesOf(
  deps: Deps,
  { verifying, commit, changed, proof }: Work,
  { verification }: Criterion,
  { files, ...seen }: Seen & { readonly files: readonly string[] },
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

async function* inSource(deps: Deps, work: Work): AsyncGenerator<ToTry> {
  const { verifying, baseCommit, commit, proof } = work;
  const paths = proof.source.filter((path) => isProgram(path)).slice(0, mostSourceFiles);
  if (paths.length === 0) return;
  const shown = await deps.git.diffText(verifying.mirror, baseCommit, commit, { maxBytes: longestPatch, paths });
  const added = addedLines(shown.text);
  for (const path of paths) {
    const text = await textOf(deps, work, path);
    if (text === null) continue;
    for (const each of sourceMisses(path, text, added.get(path) ?? new Set())) yield { what: each.what, edits: [each] };
  }
}

async function* broken(deps: Deps, { proof }: Work, files: readonly string[]): AsyncGenerator<ToTry> {
  const kindOf = fileKinds(deps.policy);
  const changed = proof.source.slice(0, mostBroken).map((path) => brokenFile(path));
  if (changed.length > 0) yield { what: wordsOf(changed, "the changed files were broken"), edits: changed };
  const source = files.filter((path) => kindOf(path).role === "source").slice(0, mostBroken);
  if (source.length > 0) yield { what: "all source was broken", edits: source.map((path) => brokenFile(path)) };
}

function wordsOf(edits: readonly Edit[], many: string): string {
  const [only] = edits;
  return edits.length === 1 && only !== undefined ? only.what : many;
}

/** A file's text in the work; null where it is too large to be changed, or not there. */
async function textOf({ git }: Pick<Deps, "git">, { verifying, commit }: Work, path: string): Promise<string | null> {
  const text = await git.textAt(verifying.mirror, commit, path);
  return text === null || text.length >= 99_000 ? null : text;
}
