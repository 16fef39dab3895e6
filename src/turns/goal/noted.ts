import { fileKinds, isProgram } from "../../core/files/kind.ts";
import { type NotedFile, notedFiles } from "../../core/files/noted.ts";
import type { ChangedText } from "../../core/trials/lines.ts";
import { addedLines } from "../../core/trials/plan.ts";
import { newlyReplaced } from "../../core/trials/replaced.ts";
import { newlySwallowed } from "../../core/trials/swallowed.ts";
import type { Deps } from "../../deps.ts";
import { type Compared, saidOf, surroundingsOf } from "./surroundings.ts";

/** Maximum number of files of each kind that are read, and their maximum length. */
const mostRead = 100;
const longestRead = 200_000;
const longestPatch = 300_000;

/** Changed files that a person should see by name, with remarks about them (F-201). */
export async function notedOf(deps: Pick<Deps, "git" | "policy">, compared: Compared): Promise<NotedFile[]> {
  const around = await surroundingsOf(deps, compared);
  const remarks = await testRemarksOf(deps, compared);
  return notedFiles(compared.changed, fileKinds(deps.policy), saidOf(around), remarks);
}

/** Remarks about test code that newly proves less than it claims, by path. */
async function testRemarksOf(
  deps: Pick<Deps, "git" | "policy">,
  compared: Compared,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { mirror, baseCommit, commit, changed } = compared;
  const kindOf = fileKinds(deps.policy);
  const remarks = new Map<string, readonly string[]>();
  const tests = changed.filter(
    ({ path, status }) =>
      status !== "deleted" &&
      (isProgram(path) || /(?:^|\/)package\.json$/.test(path)) &&
      ["test", "proof", "setting"].includes(kindOf(path).role),
  );
  if (tests.length === 0) return remarks;
  const sources = await changedSources(deps, compared);
  for (const { path, oldPath, status } of tests.slice(0, mostRead)) {
    const text = await deps.git.textAt(mirror, commit, path, longestRead);
    if (text === null) continue;
    const was = status === "added" ? null : await deps.git.textAt(mirror, baseCommit, oldPath ?? path, longestRead);
    const replaced = newlyReplaced(path, text, was, sources);
    const swallowed = newlySwallowed(path, text, was);
    if (replaced.length + swallowed.length > 0)
      remarks.set(path, [...replacedWords(replaced), ...swallowedWords(swallowed)]);
  }
  return remarks;
}

/** Changed programs that are not proof, with their changed lines. */
async function changedSources(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit, commit, changed }: Compared,
): Promise<readonly ChangedText[]> {
  const kindOf = fileKinds(policy);
  const isSource = (path: string): boolean => isProgram(path) && ["source", "unsure"].includes(kindOf(path).role);
  const there = changed.filter(({ path, status }) => status !== "deleted" && isSource(path));
  const paths = there.map(({ path }) => path).slice(0, mostRead);
  if (paths.length === 0) return [];
  // Only the changed lines are read from it. It is not shown to anybody.
  const shown = await git.diffText(mirror, baseCommit, commit, { maxBytes: longestPatch, secrets: [], paths });
  const added = addedLines(shown.text);
  const texts: ChangedText[] = [];
  for (const path of paths) {
    const text = await git.textAt(mirror, commit, path, longestRead);
    if (text !== null) texts.push({ path, text, lines: added.get(path) ?? new Set() });
  }
  return texts;
}

const mostNamed = 3;

function replacedWords(replaced: readonly string[]): string[] {
  return replaced.length === 0 ? [] : [`replaces ${listed(replaced)}, which the work changes`];
}

function swallowedWords(lines: readonly number[]): string[] {
  const word = lines.length === 1 ? "line" : "lines";
  return lines.length === 0 ? [] : [`lets no failure through in ${word} ${listed(lines.map(String))}`];
}

function listed(all: readonly string[]): string {
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).join(", ")}${more}`;
}
