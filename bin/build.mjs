import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./install.mjs";

/** What is started in processes of its own, and what keeps their environment. */
const programs = ["src/main.ts", "src/cli.ts", "src/cheats/cli.ts", "src/environment.ts"];

/** What agents start at every stop: each one file with its packages in it, which loads in a third of the time (F-504). */
const quickPrograms = ["src/done/cli.ts", "src/done/hook.ts", "src/done/worklog-hook.ts"];

const cache = join(project, "node_modules", ".cache", "chief-of-staff");

/** Which folder belongs to sources of these sizes and times: nothing has to be read while nothing has changed. */
const newest = `${cache}.json`;

/** Folders of earlier sources that stay: a program that runs may still load a part of its own. */
const KEPT = 10;

/**
 * Compiles the programs into one folder, unless these very sources were compiled before: a start then loads a few files
 * instead of hundreds, and takes half the time. Any number of processes may ask at once.
 * @returns {Promise<string | null>} the folder; null when this user may not write into it
 */
export async function compiled() {
  const stats = keyOfSources(sizeAndTime);
  const known = folderOf(stats);
  if (known !== null) return known;
  const folder = join(cache, keyOfSources(content));
  if (isThere(folder)) {
    remember(stats, folder);
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
  } catch (error) {
    // Node says ENOENT of a folder that it could not make on the way, for one where everything is read-only.
    if (["EACCES", "EPERM", "EROFS", "ENOENT", "ENOSPC"].includes(error.code)) return null;
    throw error;
  }
  try {
    await compile(unfinished);
    renameSync(unfinished, folder);
    remember(stats, folder);
    removeOld();
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was first.
    if (!isThere(folder)) throw error;
  }
  return folder;
}

/** The program's file in the folder. */
export function compiledFile(folder, program) {
  return join(folder, program.replace(/\.ts$/, ".js"));
}

async function compile(folder) {
  const { build } = await import("esbuild");
  const common = {
    absWorkingDir: project,
    outbase: ".",
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    logLevel: "error",
    plugins: [sourcesStayWhereTheyAre],
  };
  await build({ ...common, entryPoints: programs, splitting: true, packages: "external" });
  // Packages of the older kind ask for Node's own modules in their way.
  const js = 'import { createRequire as ownRequire } from "node:module"; const require = ownRequire(import.meta.url);';
  const small = { minifySyntax: true, minifyWhitespace: true, plugins: [...common.plugins, englishAlone] };
  await build({ ...common, entryPoints: quickPrograms, ...small, banner: { js } });
}

/** A source finds its files beside itself, wherever it was compiled to. */
const sourcesStayWhereTheyAre = {
  name: "sources stay where they are",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes("/node_modules/")) return null;
      const text = readFileSync(path, "utf8");
      const contents = text.replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: "ts" };
    });
  },
};

/** What says in fifty languages what is wrong with a value is a third of a program that starts at every stop. */
const englishAlone = {
  name: "English alone",
  setup({ onLoad }) {
    const filter = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    onLoad({ filter }, () => ({ contents: 'export { default as en } from "./en.js";', loader: "js" }));
  },
};

/** Changes with every source, with the compiler, and with the place of the project: paths stand in what is compiled. */
function keyOfSources(about) {
  const hash = createHash("sha256").update(project);
  const add = (name) => hash.update(`\n${name}\n`).update(about(join(project, name)));
  for (const name of ["package-lock.json", "tsconfig.json", "bin/build.mjs"]) add(name);
  for (const folder of ["src", "jobs"]) {
    const names = readdirSync(join(project, folder), { recursive: true }).filter((name) => /\.m?[jt]s$/.test(name));
    for (const name of names.sort()) add(join(folder, name));
  }
  return hash.digest("hex").slice(0, 24);
}

const content = (path) => readFileSync(path);

function sizeAndTime(path) {
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

/** The folder that was compiled from what lies there by its sizes and times; null when it is not known. */
function folderOf(stats) {
  try {
    const kept = JSON.parse(readFileSync(newest, "utf8"));
    return kept.stats === stats && isThere(join(cache, kept.key)) ? join(cache, kept.key) : null;
  } catch {
    return null;
  }
}

function remember(stats, folder) {
  const next = `${newest}.${process.pid}`;
  try {
    writeFileSync(next, JSON.stringify({ stats, key: basename(folder) }));
    renameSync(next, newest);
  } catch {
    // The next start reads the sources again.
  }
}

function isThere(folder) {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}

function removeOld() {
  const byAge = readdirSync(cache)
    .map((name) => ({
      folder: join(cache, name),
      madeMs: statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((left, right) => right.madeMs - left.madeMs);
  for (const { folder } of byAge.slice(KEPT)) rmSync(folder, { recursive: true, force: true });
}
