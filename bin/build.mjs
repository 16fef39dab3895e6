import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { project } from "./install.mjs";

/** What is started in processes of its own, and what keeps their environment. */
const programs = ["src/main.ts", "src/cheats/cli.ts", "src/init/cli.ts", "src/backup/cli.ts", "src/environment.ts"];

/** What agents start at every stop: each one file with its packages in it and its code as V8 keeps it (quick.mjs, F-504). */
const quickPrograms = ["src/done/cli.ts", "src/done/hook.ts", "src/done/worklog-hook.ts"];

/** The commands: one file with most of its packages, and its code kept, too. */
const commands = "src/cli.ts";

/** Packages that few commands need, read when one does. */
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

/** Where a package has its compiled programs, beside one another. */
const packed = join(project, "dist");

const cache = join(project, "node_modules", ".cache", "chief-of-staff");

/** Which folder belongs to sources of these sizes and times: nothing has to be read while nothing has changed. */
const newest = `${cache}.json`;

/** In a compiled folder: what the quick programs are made of. */
const sourcesFile = "quick.json";

/** Folders of earlier sources that stay: a program that runs may still load a part of its own. */
const KEPT = 10;

/**
 * Compiles the programs into one folder, unless these very sources were compiled before: a start then loads a few files
 * instead of hundreds, and takes half the time. Any number of processes may ask at once.
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
    // Node says ENOENT of a folder that it could not make on the way, for one where everything is read-only.
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
    // Another process was first.
    if (isThere(folder)) return folder;
    // The program itself says what a full disk means.
    if (error.code === "ENOSPC" || /no space left|ENOSPC/i.test(String(error.message))) return null;
    throw error;
  }
  return folder;
}

/**
 * The same for one of the quick programs, which looks at the files that it is made of and at no others.
 * @param {string} program path relative to the project
 */
export async function compiledQuickly(program) {
  const made = knownFolder(({ quick }) => {
    const of = quick?.[program];
    return of !== undefined && keyOf(lookAt([...always, ...of.sources], sizeAndTime)) === of.stats;
  });
  return made ?? (await compiled());
}

/** The program's file in the folder. */
export function compiledFile(folder, program) {
  return join(folder, program.replace(/\.ts$/, ".js"));
}

/** A quick program's file in the folder. */
export function quickFile(folder, program) {
  return join(folder, program.replace(/\.ts$/, ".cjs"));
}

async function compile(folder) {
  const place = (path) => JSON.stringify(pathToFileURL(path).href);
  const metafiles = await bundle({ outdir: folder, sourcemap: "linked" }, (path) => path, { esm: place, cjs: place });
  writeFileSync(join(folder, sourcesFile), JSON.stringify(Object.assign({}, ...metafiles.map(sourcesOf))));
  const files = [...quickPrograms, commands].map((program) => quickFile(folder, program));
  // With no options of anybody's: V8 takes nothing that was kept under others.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("quick.mjs", import.meta.url)), ...files], {
    env: {},
  });
}

/**
 * Compiles the programs of a package into dist/, for `npm pack`: it needs no sources, and finds its other files wherever it
 * is installed.
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

/** A program's file in a package: `cheats-cli.js`. */
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
 * @param places what stands for `import.meta.url` of a source, by format
 * @returns what the files of commands and quick programs are made of
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
    // A script of V8 imports nothing: what is read later is required.
    supported: { "dynamic-import": false },
  };
  const quick = await build({ ...small, entryPoints: quickPrograms.map(entry) });
  const all = await build({ ...small, entryPoints: [commands].map(entry), external: readWhenNeeded });
  return [quick.metafile, all.metafile];
}

/** Which of the project's own sources each quick program is made of. Its packages change with the lock file. */
function sourcesOf(metafile) {
  const made = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return Object.fromEntries(
    made.map(({ entryPoint, inputs }) => [
      entryPoint,
      Object.keys(inputs).filter((path) => !path.includes("node_modules/")),
    ]),
  );
}

/** A source finds its files beside itself, wherever it was compiled to. */
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

/** What says in fifty languages what is wrong with a value is a third of a program that starts at every stop. */
const englishAlone = {
  name: "English alone",
  setup({ onLoad }) {
    const filter = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    onLoad({ filter }, () => ({ contents: 'export { default as en } from "./en.js";', loader: "js" }));
  },
};

/** What every program depends on beside its sources. */
const always = ["package-lock.json", "tsconfig.json", "bin/build.mjs", "bin/quick.mjs"];

/** Paths relative to the project. */
function everySource() {
  const sources = ["src", "jobs"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      .filter((name) => /\.m?[jt]s$/.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  return [...always, ...sources];
}

/** What there is to say about each file, by its path. */
function lookAt(paths, about) {
  return new Map(paths.map((path) => [path, about(join(project, path))]));
}

/** Changes with every file, with Node, whose code is kept, and with the place of the project: paths stand in what is compiled. */
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

/** The folder that was compiled last, where `isSame` says so of what is known about it; null where not. */
function knownFolder(isSame) {
  try {
    const kept = JSON.parse(readFileSync(newest, "utf8"));
    return isSame(kept) && isThere(join(cache, kept.key)) ? join(cache, kept.key) : null;
  } catch {
    return null;
  }
}

/** `seen`: sizes and times from before it was compiled. */
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
