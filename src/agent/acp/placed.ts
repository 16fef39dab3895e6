import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { readWords, type Word } from "../../core/text/words.ts";

type Placed =
  | { readonly type: "placed"; readonly agent: string }
  /** The program, or the script it runs, is a relative path whose folder is unknown (`path` null), or `path` does not exist. */
  | { readonly type: "nowhere"; readonly program: string; readonly path: string | null };

/**
 * Returns the agent (`acp:…`, `command:…`) with absolute paths for its program and for the script behind an interpreter (`node
 * ./agent.js`). The agent starts in a folder of each goal's own, where `./agent.sh` would be another file or none. `from` is the folder
 * in which the agent was named; null when unknown. Programs found by PATH, lines only a shell can read, and all other arguments stay
 * unchanged.
 */
export function placedAgent(agent: string, from: string | null): Placed {
  const [head] = /^\s*(?:acp|command):\s*/.exec(agent) ?? [""];
  const read = readWords(agent.slice(head.length));
  if (head === "" || read.type === "wrong") return { type: "placed", agent };
  const started = behindLaunchers(read.words);
  const [program] = started;
  const words = program !== undefined && relative.test(program.text) ? [program] : ranBy(started);
  let placed = agent;
  // Replace from the end, so that earlier positions stay valid.
  for (const word of words.filter(({ text }) => !text.startsWith("/")).toReversed()) {
    const next = atItsPath(placed, head.length + startOf(read.words, word), { word, from });
    if (next.type === "nowhere") return next;
    placed = next.agent;
  }
  return { type: "placed", agent: placed };
}

/** Returns the position of a word in its line. */
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

/** A path that is not absolute. Excludes a setting before the program (`A=./b agent`) and a shell variable. */
const relative = /^~\/.|^[\w.+-][^=$]*\//;

/** Programs that run the file named by their first non-option argument. */
const interpreter = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|uv|ruby|perl|php|sh|bash|dash|zsh|ksh|pwsh)$/;

/** Options after which the program text or a module's name follows in the line itself. `-e` of a shell is not one of them. */
const inline: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:sh|bash|dash|zsh|ksh)$/, /^-[a-z]*c/i],
  [/^(?:python[\d.]*|uv)$/, /^-[a-zA-Z]*[cm]/],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-[a-z]*[ep]|--eval(?:=.*)?|--print(?:=.*)?)$/],
  [/^(?:ruby|perl)$/, /^-[a-z]*e$/i],
  [/^php$/, /^-[rBRE]$/],
  [/^pwsh$/, /^-(?:c|command|e|ec|encodedcommand)$/i],
];

/**
 * The script that an interpreter runs in a command line (`node --inspect bin/agent.js x`), by any path. Undefined when there is none.
 */
export function scriptIn(words: readonly Word[]): Word | undefined {
  return ranBy(behindLaunchers(words)).at(-1);
}

/** A variable set before a program, by the shell or by `env`. */
const setting = /^[A-Za-z_]\w*=/;

/** Programs that start another program, and their options that take a separate value. */
const launchers: readonly (readonly [RegExp, RegExp])[] = [
  [/^env$/, /^(?:-[uC]|--(?:unset|chdir))$/],
  [/^(?:exec|nohup|setsid|command|time)$/, /^$/],
  [/^(?:nice|ionice|stdbuf|chrt)$/, /^(?:-[ncpioe]|--adjustment)$/],
  [/^timeout$/, /^(?:-[ks]|--(?:kill-after|signal))$/],
];

/**
 * The words from the real program on: `node ./a.js` for `env A=1 node ./a.js` and for `A=1 node ./a.js`. Empty after `env -C FOLDER`
 * and `env -S TEXT`, where a path means something else.
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

/** Options of interpreters whose value, in the next word, is a file or a module's path. */
const loads = /^(?:-r|-I|--require|--import|--loader|--experimental-loader|--env-file|--preload|--rcfile|--init-file)$/;

/**
 * The script that an interpreter runs, after the files loaded before it: `node --import ./hook.mjs ./agent.js`. Empty when it runs no
 * script.
 */
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

/** True for `/opt/agent`, `./agent`, `bin/agent.js` and `agent.py`. False for a module's name, such as `@scope/agent`. */
function isScript(text: string): boolean {
  return /^(?:~|\.{0,2})\/./.test(text) || /^[\w.+-][^=$]*\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash|ps1)$/.test(text);
}
