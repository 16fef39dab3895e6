import { globMatcher } from "../text/globs.ts";
import { type ManifestChange, dependencyDangers, installDanger } from "./dependencies.ts";
import { fetchedNames, runsFetched } from "./fetched.ts";
import { issueAt, type Line } from "./lines.ts";
import { scriptDanger, shellDanger } from "./shell.ts";

/**
 * Dangerous additions of a change: shell lines that fetch and run, delete or open access (`shell.ts`), and third-party code from unusual
 * sources (`dependencies.ts`). Commands over several lines are checked as a whole. A file that one line fetches and another line runs is
 * found too. Linear in the change.
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

/** Files that a shell, a builder or a job runner executes. */
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
/** Files in which an address is data, however long the lines. */
const isText = globMatcher(["**/*.{lock,svg,map,csv,snap,po,ipynb}"], "any-case");

function commandDanger(path: string, text: string): string | null {
  if (isText(path)) return null;
  return (isScript(path) ? scriptDanger(text, isImage(path)) : shellDanger(text)) ?? installDanger(text);
}

/** Maximum number of lines of one command. */
const longestCommand = 20;

/**
 * Commands over several lines. A line that ends in a backslash, a pipe or an operator continues; so does a line before one that begins with
 * a pipe.
 */
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
  // `run: |` in YAML begins a text and is not a pipe.
  const end = text.slice(-20).trimEnd();
  return /(?:\\|\||&&)$/.test(end) && !/:\s{0,3}\|$/.test(end);
}

/** Lines that run a file which an earlier line of the same path fetched. */
function fetchedAndRun(added: readonly Line[]): Line[] {
  const names = new Map<string, Set<string>>();
  return added.filter((line) => {
    const known = names.get(line.path) ?? new Set<string>();
    for (const name of fetchedNames(line.text)) if (known.size < 50) names.set(line.path, known.add(name));
    return [...known].some((name) => runsFetched(line.text, name));
  });
}
