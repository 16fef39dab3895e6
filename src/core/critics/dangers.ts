import { globMatcher } from "../text/globs.ts";
import { type ManifestChange, dependencyDangers, installDanger } from "./dependencies.ts";
import { fetchedNames, runsFetched } from "./fetched.ts";
import { issueAt, type Line } from "./lines.ts";
import { scriptDanger, shellDanger } from "./shell.ts";

/**
 * What no change may bring in unseen: lines for a shell that fetch and run, delete or open up (`shell.ts`), and code of others from
 * unusual places (`dependencies.ts`). Commands that go over several lines are looked at whole, and so is a file that is fetched in
 * one line and run in another. Linear in the change.
 */
export function dangersIn(change: ManifestChange): string[] {
  const { added } = change;
  const issues = dependencyDangers(change);
  for (const line of added) {
    const what = issues.get(line) ?? commandDanger(line.path, line.text);
    if (what !== null) issues.set(line, what);
  }
  for (const command of commandsIn(added)) {
    const [first] = command;
    if (first === undefined || command.some((line) => issues.has(line))) continue;
    const what = commandDanger(first.path, command.map((line) => line.text.replace(/\\\s{0,5}$/, " ")).join(" "));
    if (what !== null) issues.set(first, what);
  }
  for (const line of fetchedAndRun(added)) if (!issues.has(line)) issues.set(line, "runs what it fetches");
  return added.flatMap((line) => {
    const what = issues.get(line);
    return what === undefined ? [] : [issueAt(line, what)];
  });
}

/** What a shell, a builder or a runner of jobs executes. */
const isScript = globMatcher(
  [
    "**/*.{sh,bash,zsh,fish,ksh,ps1,bats,mk,dockerfile,containerfile}",
    "**/{dockerfile,containerfile,makefile,gnumakefile,justfile,jenkinsfile,procfile,.envrc}*",
    "{.github,.gitlab,.circleci,.buildkite,.woodpecker,.husky}/**",
    "**/{.gitlab-ci,.travis,azure-pipelines,bitbucket-pipelines,cloudbuild,buildspec,action}.y{a,}ml",
    "**/{package.json,taskfile.y{a,}ml}",
  ],
  "any-case",
);
const isImage = globMatcher(["**/{dockerfile,containerfile}*", "**/*.{dockerfile,containerfile}"], "any-case");
/** An address in it is data, however long its lines. */
const isText = globMatcher(["**/*.{lock,svg,map,csv,snap,po,ipynb}"], "any-case");

function commandDanger(path: string, text: string): string | null {
  if (isText(path)) return null;
  return (isScript(path) ? scriptDanger(text, isImage(path)) : shellDanger(text)) ?? installDanger(text);
}

/** So many lines are one command at most. */
const longestCommand = 20;

/** Commands of several lines: a line that ends in a backslash, a pipe or an operator goes on in the next, and so does one before a pipe. */
function commandsIn(added: readonly Line[]): Line[][] {
  const commands: Line[][] = [];
  let open: Line[] = [];
  for (const line of added) {
    const last = open.at(-1);
    const follows =
      last !== undefined && last.path === line.path && last.number + 1 === line.number && open.length < longestCommand;
    if (follows && (goesOn(last.text) || /^\s{0,60}\|/.test(line.text))) open.push(line);
    else {
      if (open.length > 1) commands.push(open);
      open = [line];
    }
  }
  return open.length > 1 ? [...commands, open] : commands;
}

function goesOn(text: string): boolean {
  // `run: |` of YAML begins a text, no pipe.
  const end = text.slice(-20).trimEnd();
  return /(?:\\|\||&&)$/.test(end) && !/:\s{0,3}\|$/.test(end);
}

/** Lines that run a file which the same file of the change has fetched before. */
function fetchedAndRun(added: readonly Line[]): Line[] {
  const names = new Map<string, Set<string>>();
  return added.filter((line) => {
    const known = names.get(line.path) ?? new Set<string>();
    for (const name of fetchedNames(line.text)) if (known.size < 50) names.set(line.path, known.add(name));
    return [...known].some((name) => runsFetched(line.text, name));
  });
}
