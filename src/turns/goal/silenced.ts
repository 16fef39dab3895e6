import { isProgram } from "../../core/files/kind.ts";
import { unsilenced, type SilencingText } from "../../core/trials/silencing.ts";
import type { TestReport } from "../../core/trials/report.ts";
import type { Deps } from "../../deps.ts";
import { changedTexts } from "./near-misses.ts";
import type { Work } from "./on-trial.ts";
import type { RunTrial } from "./trial.ts";

/**
 * Runs the work without comments and options that it added to silence tools (F-201). If that fails twice, the work passes only because of
 * them: returns their places. Empty when it added none, or passes without. For a command that reports no tests and `failed` before, added
 * ways to leave types unchecked count too.
 */
export async function runUnsilenced(
  deps: Pick<Deps, "git">,
  work: Work,
  run: RunTrial,
  { failed, report }: { readonly failed: boolean; readonly report: TestReport | null },
): Promise<readonly string[]> {
  const { edits, places } = unsilenced(await textsOf(deps, work), failed && report === null);
  if (edits.length === 0) return [];
  const what = edits.map((each) => each.what).join(", ");
  const once = await run(what, { edits });
  if (once.result !== "fail") return [];
  return (await run(what, { edits }, 2)).result === "fail" ? places : [];
}

/** Changed programs, pages and styles, with their old texts, also of deleted files. */
async function textsOf(deps: Pick<Deps, "git">, work: Work): Promise<readonly SilencingText[]> {
  const { git } = deps;
  const { verifying, baseCommit, changed, watched } = work;
  const { mirror } = verifying;
  const others = await changedTexts(
    deps,
    verifying,
    work,
    (path) => !isProgram(path) && watched.every((each) => each.path !== path),
  );
  const texts: SilencingText[] = [];
  for (const { path, text, lines } of [...watched, ...others]) {
    const { status, oldPath = null } = changed.find((each) => each.path === path) ?? {};
    const before = status === "added" ? null : await git.textAt(mirror, baseCommit, oldPath ?? path);
    texts.push({ path, text, lines, before });
  }
  for (const { path } of changed.filter(({ status }) => status === "deleted"))
    texts.push({ path, text: "", lines: new Set(), before: await git.textAt(mirror, baseCommit, path) });
  return texts;
}
