import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compiled, compiledFile } from "./build.mjs";
import { ensureInstalled, project } from "./install.mjs";

/**
 * Runs a TypeScript program of this project in this very process, so that signals reach it directly.
 * @param {string} file path relative to the project
 */
export async function runTypeScript(file) {
  await ensureInstalled();
  const folder = await compiled();
  if (folder === null) return await runFromSource(file);
  // Errors name the lines of the sources.
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(compiledFile(folder, file)).href);
}

/** For a user who may not write into the project: slower by a second. */
async function runFromSource(file) {
  // Otherwise tsx would obey a tsconfig.json of the current directory, which may be anybody's.
  process.env.TSX_TSCONFIG_PATH = join(project, "tsconfig.json");
  const { register } = await import("tsx/esm/api");
  register();
  const loaded = import(pathToFileURL(join(project, file)).href);
  // Children must not inherit it: agents run tsx in other people's projects.
  delete process.env.TSX_TSCONFIG_PATH;
  await loaded;
}
