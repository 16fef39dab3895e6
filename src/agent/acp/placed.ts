import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { readWords, type Word } from "../../core/text/words.ts";

type Placed =
  | { readonly type: "placed"; readonly agent: string }
  /** Its program, or the script that it runs, is a relative path, and nobody knows from where; or no such file is there (`path`). */
  | { readonly type: "nowhere"; readonly program: string; readonly path: string | null };

/**
 * The agent (`acp:…`, `command:…`) with its program by its whole path, and with the script behind an interpreter (`node ./agent.js`) too: it is
 * started in a folder of each goal's own, where `./agent.sh` would be another file or none. `from`: the folder in which it was named; null: that
 * is not known. A program of the PATH, what only a shell can read, and all other arguments stay.
 */
export function placedAgent(agent: string, from: string | null): Placed {
  const [head] = /^\s*(?:acp|command):\s*/.exec(agent) ?? [""];
  const read = readWords(agent.slice(head.length));
  if (head === "" || read.type === "wrong") return { type: "placed", agent };
  const started = behindLaunchers(read.words);
  const [program] = started;
  const words = program !== undefined && relative.test(program.text) ? [program] : ranBy(started);
  let placed = agent;
  // From behind: what stands before stays where it is.
  for (const word of words.filter(({ text }) => !text.startsWith("/")).toReversed()) {
    const next = atItsPath(placed, head.length + startOf(read.words, word), { word, from });
    if (next.type === "nowhere") return next;
    placed = next.agent;
  }
  return { type: "placed", agent: placed };
}

/** Where a word begins in its line. */
function startOf(words: readonly Word[], word: Word): number {
  const before = words.slice(0, words.indexOf(word));
  return before.reduce((at, each) => at + each.before.length + each.typed.length, word.before.length);
}

function atItsPath(
  agent: string,
  at: number,
  { word, from }: { readonly word: Word; readonly from: string | null },
): Placed {
  if (!agent.startsWith(word.typed, at)) return { type: "placed", agent };
  const program = word.text;
  const isOfHome = program.startsWith("~/");
  if (!isOfHome && from === null) return { type: "nowhere", program, path: null };
  const path = isOfHome ? join(homedir(), program.slice(2)) : resolve(from ?? "", program);
  if (!isOfHome && !existsSync(path)) return { type: "nowhere", program, path };
  const written = /^[\w./+-]+$/.test(path) ? path : `"${path}"`;
  return { type: "placed", agent: `${agent.slice(0, at)}${written}${agent.slice(at + word.typed.length)}` };
}

/** A file that is not named by its whole path: neither a setting before the program (`A=./b agent`) nor a variable of the shell. */
const relative = /^~\/.|^[\w.+-][^=$]*\//;

/** Programs whose first argument that is no option is a file that they run. */
const interpreter = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|uv|ruby|perl|php|sh|bash|dash|zsh|ksh|pwsh)$/;

/** Options behind which a program, or the name of a module, stands in the line itself: `-e` of a shell is none of them. */
const inline: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:sh|bash|dash|zsh|ksh)$/, /^-[a-z]*c/i],
  [/^(?:python[\d.]*|uv)$/, /^-[a-zA-Z]*[cm]/],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-[a-z]*[ep]|--eval(?:=.*)?|--print(?:=.*)?)$/],
  [/^(?:ruby|perl)$/, /^-[a-z]*e$/i],
  [/^php$/, /^-[rBRE]$/],
  [/^pwsh$/, /^-(?:c|command|e|ec|encodedcommand)$/i],
];

/** The script that a command line has an interpreter run (`node --inspect bin/agent.js x`), by whatever path; undefined: there is none. */
export function scriptIn(words: readonly Word[]): Word | undefined {
  return ranBy(behindLaunchers(words)).at(-1);
}

/** A variable that is set before a program, by the shell or by `env`. */
const setting = /^[A-Za-z_]\w*=/;

/** What starts the program that comes behind it, and those of its options that take a word of their own. */
const launchers: readonly (readonly [RegExp, RegExp])[] = [
  [/^env$/, /^(?:-[uC]|--(?:unset|chdir))$/],
  [/^(?:exec|nohup|setsid|command|time)$/, /^$/],
  [/^(?:nice|ionice|stdbuf|chrt)$/, /^(?:-[ncpioe]|--adjustment)$/],
  [/^timeout$/, /^(?:-[ks]|--(?:kill-after|signal))$/],
];

/**
 * The words from the program on that is meant: `node ./a.js` of `env A=1 node ./a.js` and of `A=1 node ./a.js`. Behind `env -C FOLDER`
 * and `env -S TEXT` a path means something else: nothing is left.
 */
function behindLaunchers(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => !setting.test(text));
  const [first, ...rest] = at === -1 ? [] : words.slice(at);
  const options = launchers.find(([names]) => names.test(basename(first?.text ?? "")))?.[1];
  if (first === undefined || options === undefined) return at === -1 ? [] : words.slice(at);
  const name = basename(first.text);
  for (let next = 0; next < rest.length; next += 1) {
    const { text } = rest[next] ?? first;
    if (name === "env" && /^(?:-[A-Za-z]*[CS]|--(?:chdir|split-string))/.test(text)) return [];
    if (options.test(text)) next += 1;
    else if (!text.startsWith("-")) return behindLaunchers(rest.slice(name === "timeout" ? next + 1 : next));
  }
  return [];
}

/** Options of interpreters with a file, or a module by its path, in the next word. */
const loads = /^(?:-r|-I|--require|--import|--loader|--experimental-loader|--env-file|--preload|--rcfile|--init-file)$/;

/** That script behind what is loaded before it: `node --import ./hook.mjs ./agent.js`. Empty: it runs none. */
function ranBy([program, ...rest]: readonly Word[]): Word[] {
  const name = basename(program?.text ?? "");
  if (!interpreter.test(name)) return [];
  const inlined = inline.find(([programs]) => programs.test(name))?.[1];
  const found: Word[] = [];
  for (const [at, word] of rest.entries()) {
    if (inlined?.test(word.text) === true) return [];
    if (word.text.startsWith("-") || !isScript(word.text)) continue;
    found.push(word);
    if (!loads.test(rest[at - 1]?.text ?? "")) return found;
  }
  return [];
}

/** `/opt/agent`, `./agent`, `bin/agent.js` and `agent.py`. A module's name, such as `@scope/agent`, has no such end. */
function isScript(text: string): boolean {
  return /^(?:~|\.{0,2})\/./.test(text) || /^[\w.+-][^=$]*\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash|ps1)$/.test(text);
}
