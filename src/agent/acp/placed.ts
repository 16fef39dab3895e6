import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readWords } from "../../core/text/words.ts";

type Placed =
  | { readonly type: "placed"; readonly agent: string }
  /** Its program is a relative path, and nobody knows from where; or no such file is there (`path`). */
  | { readonly type: "nowhere"; readonly program: string; readonly path: string | null };

/**
 * The agent (`acp:…`, `command:…`) with its program by its whole path: it is started in a folder of each goal's own, where `./agent.sh`
 * would be another file or none. `from`: the folder in which it was named; null: that is not known. A program of the PATH, and what only
 * a shell can read, stay.
 */
export function placedAgent(agent: string, from: string | null): Placed {
  const [head] = /^\s*(?:acp|command):\s*/.exec(agent) ?? [""];
  const line = agent.slice(head.length);
  const read = readWords(line);
  const word = read.type === "read" ? read.words[0] : undefined;
  if (head === "" || word === undefined || !relative.test(word.text) || !line.startsWith(word.typed))
    return { type: "placed", agent };
  const program = word.text;
  const isOfHome = program.startsWith("~/");
  if (!isOfHome && from === null) return { type: "nowhere", program, path: null };
  const path = isOfHome ? join(homedir(), program.slice(2)) : resolve(from ?? "", program);
  if (!isOfHome && !existsSync(path)) return { type: "nowhere", program, path };
  const written = /^[\w./+-]+$/.test(path) ? path : `"${path}"`;
  return { type: "placed", agent: `${head}${written}${line.slice(word.typed.length)}` };
}

/** A file that is not named by its whole path: neither a setting before the program (`A=./b agent`) nor a variable of the shell. */
const relative = /^~\/.|^[\w.+-][^=$]*\//;
