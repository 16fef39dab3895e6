import { asksToRemove, type Removal } from "../../core/acceptance/removing.ts";
import { type FileRole, fileKinds, isProgram, isTestCode } from "../../core/files/kind.ts";
import { lastPart, withoutEnding } from "../../core/files/path.ts";
import { definedIn, isOnlyLess, namesIn } from "../../core/trials/removed-source.ts";
import {
  isOnlyWithout,
  type LessTests,
  namedBeside,
  type RemovedTests,
  testsRemoved,
} from "../../core/trials/removed-tests.ts";
import type { Deps } from "../../deps.ts";
import type { Compared } from "./surroundings.ts";

/** Code and tests that a work removed because its goal asks for it. */
export interface Removed {
  /** Paths of tests with no other difference. */
  readonly tests: ReadonlySet<string>;
  readonly gone: readonly RemovedTests[];
}

/** Maximum number of changed files that are read, their maximum length, and maximum number of names that are searched. */
const mostRead = 200;
const longestRead = 500_000;
const mostNames = 100;
/** Maximum number of files that name one of them and are read. */
const mostNaming = 20;

type Git = Pick<Deps, "git" | "policy">;

/** Tests that were removed with the code that `goal` asks to remove. Null when there are none, or the work changed more of the source. */
export async function removedBy(deps: Git, goal: string, compared: Compared): Promise<Removed | null> {
  const removal = asksToRemove(goal);
  if (removal === null || compared.changed.length > mostRead) return null;
  const kindOf = fileKinds(deps.policy);
  const isSource = (path: string): boolean => mayHold.includes(kindOf(path).role);
  const [sources, tests]: [Changed[], Changed[]] = [[], []];
  for (const { path, status } of compared.changed) {
    const isTest = isTestCode(path, kindOf);
    if (!isSource(path) && !isTest) continue;
    // Something may have been renamed.
    if (status !== "modified" && status !== "deleted" && !isTest) return null;
    if (status === "added" || status === "renamed") continue;
    const before = await deps.git.textAt(compared.mirror, compared.baseCommit, path, longestRead);
    const now =
      status === "deleted" ? null : await deps.git.textAt(compared.mirror, compared.commit, path, longestRead);
    if (before === null || (now === null && status !== "deleted")) return null;
    (isTest ? tests : sources).push({ path, before, now });
  }
  const gone = new Set<string>();
  const there = sourceOf(deps, compared, isSource);
  for (const name of goneFrom(sources, removal)) if (!(await there.isNamed(name))) gone.add(name);
  if (gone.size === 0 || !sources.every(({ path, ...texts }) => isOnlyLess(path, texts, gone))) return null;
  const files = tests.map((each): LessTests => ({ ...each, isCalledSo: removal.isName(nameOfTest(each.path)) }));
  const words = [...new Set(files.flatMap((each) => namedBeside(each, gone)))];
  if (words.length > mostNames) return null;
  const staying = new Set<string>();
  for (const word of words) if (await there.isDefined(word)) staying.add(word);
  const names = { gone, staying };
  const only = files.filter((each) => isOnlyWithout(each, names));
  return { tests: new Set(only.map(({ path }) => path)), gone: only.map((each) => testsRemoved(each, names)) };
}

/** Kinds of files that may hold code, or start it. */
const mayHold: readonly FileRole[] = ["source", "unsure", "setting", "generated"];

interface Changed {
  readonly path: string;
  readonly before: string;
  readonly now: string | null;
}

/** Removed names that the goal asks to remove. For a deleted file that the goal names, all names that it defined. */
function goneFrom(sources: readonly Changed[], { isName, isPath }: Removal): readonly string[] {
  const left = new Set(sources.flatMap(({ path, now }) => namesIn(now ?? "", path)));
  const found = new Set<string>();
  for (const { path, before, now } of sources.filter((each) => isProgram(each.path))) {
    const isWhole = now === null && isPath(path);
    if (isWhole) found.add(withoutEnding(lastPart(path)));
    const defined = isWhole ? [...definedIn(before)] : [];
    for (const name of [...defined, ...namesIn(before, path).filter(isName)]) if (!left.has(name)) found.add(name);
  }
  return [...found].slice(0, mostNames);
}

/** Tests whether the work's source still names or defines something. */
function sourceOf(
  { git }: Git,
  { mirror, commit }: Compared,
  isSource: (path: string) => boolean,
): Readonly<Record<"isNamed" | "isDefined", (name: string) => Promise<boolean>>> {
  const has = async (name: string, is: (text: string, path: string) => boolean): Promise<boolean> => {
    const naming = (await git.filesNaming(mirror, commit, name)).filter(isSource);
    if (naming.length > mostNaming) return true;
    for (const path of naming) {
      const text = await git.textAt(mirror, commit, path, longestRead);
      if (text === null || is(text, path)) return true;
    }
    return false;
  };
  return {
    isNamed: (name) => has(name, (text, path) => !isProgram(path) || namesIn(text, path).includes(name)),
    isDefined: (name) => has(name, (text, path) => isProgram(path) && definedIn(text).has(name)),
  };
}

/** The subject in a test file's name: `legacy` for `t/legacy.t`, `test_legacy.c` and `legacy.test.js`. */
function nameOfTest(path: string): string {
  const [name = ""] = lastPart(path).split(".");
  return name.replace(/^tests?[_-]|[_-]?tests?$/i, "");
}
