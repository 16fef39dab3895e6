// Loads what agents start at every stop: plain JavaScript, nothing but Node's own modules.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * Loads one file of CommonJS with what V8 kept of it (`keepCode`): it then need not be read and compiled again. What was kept
 * by another V8, or under other options, is passed over.
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
 * The same for a file of an installed package, whose code nobody has kept yet, or another Node has: it is kept now, where this
 * user may write.
 */
export function loadAndKeep(file) {
  const { exports, script } = load(file);
  if (script.cachedDataRejected === false) return exports;
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, script.createCachedData());
    renameSync(next, `${file}.code`);
  } catch {
    // It is read and compiled every time.
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

/** Keeps the code of a file beside it, of all functions that it runs while it is loaded. */
function keepCode(file) {
  writeFileSync(`${file}.code`, load(file).script.createCachedData());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const file of process.argv.slice(2)) keepCode(file);
