import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./install.mjs";

/** What is started in processes of its own, and what keeps their environment. */
const programs = ["src/main.ts", "src/cli.ts", "src/done/cli.ts", "src/environment.ts"];

const cache = join(project, "node_modules", ".cache", "chief-of-staff");

/** Folders of earlier sources that stay: a program that runs may still load a part of its own. */
const KEPT = 10;

/**
 * Compiles the programs into one folder, unless these very sources were compiled before: a start then loads a few files
 * instead of hundreds, and takes half the time. Any number of processes may ask at once.
 * @returns {Promise<string | null>} the folder; null when this user may not write into it
 */
export async function compiled() {
  const folder = join(cache, keyOfSources());
  if (isThere(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS", "ENOSPC"].includes(error.code)) return null;
    throw error;
  }
  try {
    await compile(unfinished);
    renameSync(unfinished, folder);
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
  await build({
    absWorkingDir: project,
    entryPoints: programs,
    outbase: ".",
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    logLevel: "error",
    plugins: [sourcesStayWhereTheyAre],
  });
}

/** A source finds its files beside itself, wherever it was compiled to. */
const sourcesStayWhereTheyAre = {
  name: "sources stay where they are",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: "ts" };
    });
  },
};

/** Changes with every source, with the compiler, and with the place of the project: paths stand in what is compiled. */
function keyOfSources() {
  const hash = createHash("sha256").update(project);
  const add = (name) => hash.update(`\n${name}\n`).update(readFileSync(join(project, name)));
  for (const name of ["package-lock.json", "tsconfig.json", "bin/build.mjs"]) add(name);
  for (const folder of ["src", "jobs"]) {
    const names = readdirSync(join(project, folder), { recursive: true }).filter((name) => name.endsWith(".ts"));
    for (const name of names.sort()) add(join(folder, name));
  }
  return hash.digest("hex").slice(0, 24);
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
