import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compiled, compiledFile, compiledQuickly, packedFile, packedQuickFile, quickFile } from "./build.mjs";
import { takeEnvironment } from "./environment.mjs";
import { ensureInstalled, isPackage, project } from "./install.mjs";
import { load, loadAndKeep } from "./quick.mjs";

/** The module that keeps the start environment for a program. */
const keeper = "src/environment.ts";

/**
 * Runs a TypeScript program of this project in this process, so that signals reach it directly.
 * @param {string} file path relative to the project
 */
export async function runTypeScript(file) {
  const taken = takeEnvironment();
  await ensureInstalled({ environment: taken });
  if (isPackage) return await run(taken, packedFile, file);
  const folder = await compiled();
  if (folder === null) return await runFromSource(file, taken);
  // So that errors name the lines of the sources.
  process.setSourceMapsEnabled(true);
  await run(taken, (program) => compiledFile(folder, program), file);
}

/** For a user who may not write into the project; slower by a second. */
async function runFromSource(file, taken) {
  // Otherwise tsx would read a tsconfig.json of the current directory, which may belong to anybody.
  process.env.TSX_TSCONFIG_PATH = join(project, "tsconfig.json");
  const { register } = await import("tsx/esm/api");
  register();
  const loaded = run(taken, (program) => join(project, program), file);
  // Children must not inherit it, because agents run tsx in other projects.
  delete process.env.TSX_TSCONFIG_PATH;
  await loaded;
}

async function run(taken, fileOf, program) {
  const { keepEnvironment } = await import(pathToFileURL(fileOf(keeper)).href);
  keepEnvironment(taken);
  const { start } = await import(pathToFileURL(fileOf(program)).href);
  await start?.(taken);
}

/**
 * Runs a program that keeps its environment itself and is a single file: commands, and the programs that agents start at every stop.
 * @param {string} program path relative to the project; exports `start`
 */
export async function runQuickly(program) {
  const taken = takeEnvironment();
  await ensureInstalled({ environment: taken });
  if (isPackage) return await loadAndKeep(packedQuickFile(program)).start(taken);
  const folder = await compiledQuickly(program);
  if (folder === null) return await runFromSource(program, taken);
  await load(quickFile(folder, program)).exports.start(taken);
}
