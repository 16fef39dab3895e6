import { wordFor } from "../../core/files/found.ts";
import { fileKinds, isTestCode } from "../../core/files/kind.ts";
import { lastPart } from "../../core/files/path.ts";
import type { TrialQuestion } from "../../core/trials/judge.ts";
import { namesLoadedBy } from "../../core/trials/loading-files.ts";
import { isTakenFor, type Twin, twinsOf } from "../../core/trials/twins.ts";
import type { Deps } from "../../deps.ts";
import type { Compared } from "./surroundings.ts";

/** Maximum number of files that name a file and are read. */
const mostRead = 50;

/**
 * Questions about new files that tests of the base load instead of the files they tested, which the source still uses (F-201). A new file
 * that loads the other one, or is loaded by it, only leads to it and is not asked about.
 */
export async function twinQuestions(
  deps: Pick<Deps, "git" | "policy">,
  compared: Compared,
): Promise<readonly TrialQuestion[]> {
  const { mirror, baseCommit, commit, changed } = compared;
  const added = changed.filter(({ status }) => status !== "modified" && status !== "deleted");
  if (added.length === 0) return [];
  const files = new Set(await deps.git.filesAt(mirror, commit));
  const old = new Set(await deps.git.filesAt(mirror, baseCommit));
  const there = new Set([...old].filter((path) => files.has(path)));
  const questions: TrialQuestion[] = [];
  for (const { path } of added.filter((each) => !old.has(each.path)))
    for (const twin of twinsOf(path, there)) {
      if (await isWay(deps, compared, twin)) continue;
      const test = await testMeaning(deps, compared, twin);
      if (test !== null) questions.push({ type: "taken-for", ...twin, test });
    }
  return questions;
}

async function isWay(
  { git }: Pick<Deps, "git">,
  { mirror, commit }: Compared,
  { path, other }: Twin,
): Promise<boolean> {
  for (const [from, to] of [
    [path, other],
    [other, path],
  ] as const) {
    const said = namesLoadedBy({ path: from, text: (await git.textAt(mirror, commit, from)) ?? "" });
    if (said.some((each) => each.endsWith(`/${lastPart(to)}`))) return true;
  }
  return false;
}

/** A test of the base that loaded the other file by the name it uses. Null when there is none. */
async function testMeaning(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit }: Compared,
  twin: Twin,
): Promise<string | null> {
  const kindOf = fileKinds(policy);
  const naming = await git.filesNaming(mirror, baseCommit, wordFor(twin.other).replace(/\.json$/, ""));
  for (const test of naming.filter((path) => isTestCode(path, kindOf)).slice(0, mostRead)) {
    const text = (await git.textAt(mirror, baseCommit, test)) ?? "";
    if (namesLoadedBy({ path: test, text }).some((said) => isTakenFor(twin, said, test))) return test;
  }
  return null;
}
