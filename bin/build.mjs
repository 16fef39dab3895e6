import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { project } from "./install.mjs";

/** Programs that are started as processes of their own, and the module that keeps their environment. */
const programs = ["src/main.ts", "src/cheats/cli.ts", "src/init/cli.ts", "src/backup/cli.ts", "src/environment.ts"];

/** Programs that agents start at every stop: each is one file that includes its packages, with V8's code cache (quick.mjs, F-504). */
const quickPrograms = ["src/done/cli.ts", "src/done/hook.ts", "src/done/worklog-hook.ts"];

/** The commands: one file that includes most packages, also with a code cache. */
const commands = "src/cli.ts";

/** Packages that few commands need; they are loaded on first use. */
const readWhenNeeded = [
  "@ai-sdk/*",
  "@hono/*",
  "@octokit/*",
  "@opentelemetry/*",
  "@pydantic/*",
  "@resvg/resvg-js",
  "@secretlint/*",
  "@slack/bolt",
  "ai",
  "discord.js",
  "esbuild",
  "gemoji",
  "gpt-tokenizer",
  "hono",
  "pg-native",
  "tsx",
];

/** The folder of compiled programs in a package, all in one level. */
const packed = join(project, "dist");

const cache = join(project, "node_modules", ".cache", "chief-of-staff");

/** Maps the sizes and times of sources to their compiled folder, so that unchanged sources need not be read. */
const newest = `${cache}.json`;

/** A file in a compiled folder: the sources of the quick programs. */
const sourcesFile = "quick.json";

/** Number of compiled folders that are kept: a running program may still load a part of its own. */
const KEPT = 10;

/**
 * Compiles the programs into one folder, unless the same sources were compiled before. A start then loads a few files instead of
 * hundreds, and takes half the time. Any number of processes may call this at once.
 * @returns {Promise<string | null>} the folder; null when this user may not write into it
 */
export async function compiled() {
  const seen = lookAt(everySource(), sizeAndTime);
  const known = knownFolder((kept) => kept.stats === keyOf(seen));
  if (known !== null) return known;
  const folder = join(cache, keyOf(lookAt(everySource(), content)));
  if (isThere(folder)) {
    remember(seen, folder);
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
  } catch (error) {
    // On a read-only file system, Node reports ENOENT for a parent folder that it could not create.
    if (["EACCES", "EPERM", "EROFS", "ENOENT", "ENOSPC"].includes(error.code)) return null;
    throw error;
  }
  try {
    await compile(unfinished);
    renameSync(unfinished, folder);
    remember(seen, folder);
    removeOld();
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process compiled the same sources first.
    if (isThere(folder)) return folder;
    // The program itself reports the full disk.
    if (error.code === "ENOSPC" || /no space left|ENOSPC/i.test(String(error.message))) return null;
    throw error;
  }
  return folder;
}

/**
 * Like `compiled`, for one of the quick programs; looks only at the files that it consists of.
 * @param {string} program path relative to the project
 */
export async function compiledQuickly(program) {
  const made = knownFolder(({ quick }) => {
    const of = quick?.[program];
    return of !== undefined && keyOf(lookAt([...always, ...of.sources], sizeAndTime)) === of.stats;
  });
  return made ?? (await compiled());
}

/** Returns the program's file in the folder. */
export function compiledFile(folder, program) {
  return join(folder, program.replace(/\.ts$/, ".js"));
}

/** Returns a quick program's file in the folder. */
export function quickFile(folder, program) {
  return join(folder, program.replace(/\.ts$/, ".cjs"));
}

async function compile(folder) {
  const place = (path) => JSON.stringify(pathToFileURL(path).href);
  const metafiles = await bundle({ outdir: folder, sourcemap: "linked" }, (path) => path, { esm: place, cjs: place });
  writeFileSync(join(folder, sourcesFile), JSON.stringify(Object.assign({}, ...metafiles.map(sourcesOf))));
  const files = [...quickPrograms, commands].map((program) => quickFile(folder, program));
  // Without any environment: V8 rejects a code cache that was made under other options.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("quick.mjs", import.meta.url)), ...files], {
    env: {},
  });
}

/**
 * Compiles the programs of a package into dist/, for `npm pack`. They need no sources, and find their other files wherever the package is
 * installed.
 */
export async function compilePackage() {
  rmSync(packed, { recursive: true, force: true });
  const named = (program) => ({ in: program, out: packedName(program) });
  const beside = (path) => JSON.stringify(`../${relative(project, path).replaceAll("\\", "/")}`);
  await bundle(
    { outdir: packed, minifySyntax: true, minifyWhitespace: true },
    named,
    {
      esm: (path) => `new URL(${beside(path)}, import.meta.url).href`,
      cjs: (path) => `new URL(${beside(path)}, require("node:url").pathToFileURL(__filename)).href`,
    },
    ["src/db/embedded/supervisor.ts"],
  );
}

/** Returns a program's file in a package: `cheats-cli.js`. */
export function packedFile(program) {
  return join(packed, `${packedName(program)}.js`);
}

export function packedQuickFile(program) {
  return join(packed, `${packedName(program)}.cjs`);
}

function packedName(program) {
  return program
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .replaceAll("/", "-");
}

/**
 * @param options where to, and how small
 * @param entry how a program is named
 * @param places what replaces `import.meta.url` of a source, by format
 * @returns the metafiles of commands and quick programs
 */
async function bundle(options, entry, places, more = []) {
  const { build } = await import("esbuild");
  const common = {
    ...options,
    absWorkingDir: project,
    outbase: ".",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "error",
    plugins: [sourcesAreAt(places.esm)],
  };
  await build({ ...common, entryPoints: [...programs, ...more].map(entry), splitting: true, packages: "external" });
  const small = {
    ...common,
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [sourcesAreAt(places.cjs), englishAlone],
    // A V8 script cannot import: packages that are loaded later are required.
    supported: { "dynamic-import": false },
  };
  const quick = await build({ ...small, entryPoints: quickPrograms.map(entry) });
  const all = await build({ ...small, entryPoints: [commands].map(entry), external: readWhenNeeded });
  return [quick.metafile, all.metafile];
}

/** Returns the project's own sources in each quick program. Its packages change with the lock file. */
function sourcesOf(metafile) {
  const made = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return Object.fromEntries(
    made.map(({ entryPoint, inputs }) => [
      entryPoint,
      Object.keys(inputs).filter((path) => !path.includes("node_modules/")),
    ]),
  );
}

/** Makes a source find the files beside it, wherever it was compiled to. */
const sourcesAreAt = (place) => ({
  name: "sources are where they were",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (relative(project, path).split(sep).includes("node_modules")) return null;
      const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", () => place(path));
      return { contents, loader: "ts" };
    });
  },
});

/** Leaves out zod's messages in fifty languages, which would be a third of a program that starts at every stop. */
const englishAlone = {
  name: "English alone",
  setup({ onLoad }) {
    const filter = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    onLoad({ filter }, () => ({ contents: 'export { default as en } from "./en.js";', loader: "js" }));
  },
};

/** Files on which every program depends beside its sources. */
const always = ["package-lock.json", "tsconfig.json", "bin/build.mjs", "bin/quick.mjs"];

/** Returns paths relative to the project. */
function everySource() {
  const sources = ["src", "jobs"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      .filter((name) => /\.m?[jt]s$/.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  return [...always, ...sources];
}

/** Returns the result of `about` for each file, by path. */
function lookAt(paths, about) {
  return new Map(paths.map((path) => [path, about(join(project, path))]));
}

/**
 * Returns a key that changes with every file, with the Node version, because code caches depend on it, and with the project's path, which
 * the compiled files contain.
 */
function keyOf(seen) {
  const hash = createHash("sha256").update(`${project}\n${process.version} ${process.arch}`);
  for (const [path, about] of seen) hash.update(`\n${path}\n`).update(about);
  return hash.digest("hex").slice(0, 24);
}

const content = (path) => readFileSync(path);

function sizeAndTime(path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino}`;
}

/** Returns the folder that was compiled last, if `isSame` is true for its record; otherwise null. */
function knownFolder(isSame) {
  try {
    const kept = JSON.parse(readFileSync(newest, "utf8"));
    return isSame(kept) && isThere(join(cache, kept.key)) ? join(cache, kept.key) : null;
  } catch {
    return null;
  }
}

/** Records a compiled folder. `seen`: sizes and times from before it was compiled. */
function remember(seen, folder) {
  const next = `${newest}.${process.pid}`;
  try {
    const made = JSON.parse(readFileSync(join(folder, sourcesFile), "utf8"));
    const quick = Object.fromEntries(
      Object.entries(made).map(([program, sources]) => {
        const own = new Map([...always, ...sources].map((path) => [path, seen.get(path) ?? "gone"]));
        return [program, { sources, stats: keyOf(own) }];
      }),
    );
    writeFileSync(next, JSON.stringify({ stats: keyOf(seen), key: basename(folder), quick }));
    renameSync(next, newest);
  } catch {
    // Without the record, the next start reads the sources again.
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
