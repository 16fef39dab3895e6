import { shellDanger } from "../critics/shell.ts";
import { type RunFacts, touchedFiles } from "./episode.ts";

/**
 * Detects whether a text about a run names something that the run never touched (S4-RF-07). Files and addresses are compared with
 * everything in the run's rows, commands only with what was run, checked or asked for. A command that only occurs in an error was not run.
 */

/**
 * The first file, address or command of a reflection that the run never touched. Null when there is none. Names are words in backticks,
 * words that look like a path or an address, and text that begins like a command. A command that critics would veto is also returned.
 * Linear in the text, which is at most as long as a reflection.
 */
export function inventedName(reflection: string, run: RunFacts): string | null {
  const ran = commandsOf(run);
  const known = `${ran}\n${wordsOf(run)}`;
  const commands = [...quoted(reflection).filter((name) => /\s/.test(name)), ...commandsIn(reflection)];
  const names = [
    ...quoted(reflection).filter((name) => !/\s/.test(name)),
    ...addresses(reflection),
    ...paths(reflection),
  ];
  const invented = commands.find((name) => !isNamed(ran, name)) ?? names.find((name) => !isNamed(known, name));
  return invented ?? (shellDanger(reflection) === null ? null : reflection.slice(0, 80));
}

/** What was run, what had to hold, and what people and the ladder asked for. */
function commandsOf({ seen, attempts, answers }: RunFacts): string {
  return [
    ...seen.flatMap((each) => [each.command, each.criterion ?? ""]),
    ...attempts.flatMap((each) => [each.approach, each.instruction ?? "", ...each.criteria]),
    ...answers.map((each) => each.instructions ?? ""),
  ]
    .join("\n")
    .toLowerCase();
}

function wordsOf(run: RunFacts): string {
  return [...touchedFiles(run), ...run.attempts.map((each) => each.error)].join("\n").toLowerCase();
}

/** True when a name occurs in the text, and not as a part of a longer name. */
function isNamed(known: string, name: string): boolean {
  const wanted = name.toLowerCase();
  for (let at = known.indexOf(wanted); at >= 0; at = known.indexOf(wanted, at + 1)) {
    const [before = "", after = ""] = [known[at - 1], known[at + wanted.length]];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

function quoted(text: string): string[] {
  return text
    .split("`")
    .filter((_, index) => index % 2 === 1)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

const address = /\b[a-z][a-z0-9+.-]{1,10}:\/\/[^\s`"'“”‘’<>()]{1,500}/gi;

function addresses(text: string): string[] {
  return (text.match(address) ?? []).map(withoutEnding);
}

/** Words that begin a command but not a sentence. */
const command =
  /\b(?:(?:npm|pnpm|yarn|bun)\s(?:(?:run|exec|add)\s[\w:.@/-]{1,100}|(?:test|install|ci|publish|start|build)\b)|(?:npx|curl|wget|sudo|chmod|chown|kubectl|psql|scp|ssh|pip3?\sinstall|apt-get|apt\sinstall|brew\sinstall|rm\s-\w{1,5}|python3?\s-\w|node\s-\w|docker\s(?:run|build|compose|exec)|git\s(?:push|commit|config|reset|checkout|rebase|clone|clean|stash)|cargo\s(?:run|test|build|install|add)|go\s(?:get|install|generate))\s[^\s`"'“”‘’,;()]{1,200})/gi;

function commandsIn(text: string): string[] {
  return (text.match(command) ?? []).map(withoutEnding);
}

function withoutEnding(word: string): string {
  let end = word.length;
  while (/[.,;:!?]/.test(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

/** Words with a slash between letters, with a file's extension, or with the name of a well-known file. */
function paths(text: string): string[] {
  return text
    .replaceAll(address, " ")
    .split(/[\s`"'“”‘’(),;:!?<>[\]{}]+/)
    .map((word) => withoutEnding(word.replace(/^\.\//, "")))
    .filter(
      (word) =>
        /^(?:~|\.{1,2})?\/?[\w@.-]+(?:\/[\w@.*-]+)+\/?$/.test(word) ||
        /^[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,11}$/.test(word) ||
        /^\.[A-Za-z][\w.-]+$/.test(word) ||
        namesOfFiles.test(word),
    )
    .filter((word) => !common.has(word.toLowerCase()) && !/^\d+\/\d+$/.test(word));
}

const namesOfFiles =
  /^(?:Makefile|Dockerfile|Containerfile|Jenkinsfile|Gemfile|Procfile|Rakefile|Justfile|Vagrantfile|CODEOWNERS)$/;

/** Words that look like a path but are not. */
const common: ReadonlySet<string> = new Set([
  "and/or",
  "e.g",
  "i.e",
  "n/a",
  "input/output",
  "read/write",
  "either/or",
  "w/o",
  "pass/fail",
  "yes/no",
  "client/server",
  "node.js",
  "vue.js",
  "next.js",
  ".net",
  "asp.net",
]);
