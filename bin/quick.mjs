// Loads the programs that agents start at every stop: plain JavaScript with Node's built-in modules only.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * Loads a CommonJS file with V8's code cache (`keepCode`), so that it need not be parsed and compiled again. A cache from another V8, or
 * made under other options, is ignored.
 * @param {string} file absolute path
 * @returns {{ exports: Record<string, unknown>, script: Script }}
 */
export function load(file) {
  const script = new Script(`(function (exports, require, module, __filename) {${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    cachedData: keptCode(file),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file);
  return { exports: module.exports, script };
}

/**
 * Like `load`, for a file of an installed package. If there is no code cache, or it is from another Node, it is written now, if this user
 * may write there.
 */
export function loadAndKeep(file) {
  const { exports, script } = load(file);
  if (script.cachedDataRejected === false) return exports;
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, script.createCachedData());
    renameSync(next, `${file}.code`);
  } catch {
    // Without a cache it is parsed and compiled every time.
  }
  return exports;
}

function keptCode(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

/** Writes the code cache of a file beside it, with all functions that run while it is loaded. */
function keepCode(file) {
  writeFileSync(`${file}.code`, load(file).script.createCachedData());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const file of process.argv.slice(2)) keepCode(file);
