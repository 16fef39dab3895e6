import { globMatcher } from "../text/globs.ts";
import { liesWithJudges } from "./proven-programs.ts";

/**
 * Decides which files are delivered, by a manifest or by a framework's folders. A delivered file is the subject of a proof, whatever else
 * names it.
 */

type Reader = (text: string) => readonly unknown[];

const started: Reader = (text) => linesLike(text, /^(?:CMD|ENTRYPOINT|\w+:)/);
const handled: Reader = (text) => linesLike(text, /^\s{0,20}handler:/i);
const behindScripts: Reader = (text) => {
  const at = text.indexOf("console_scripts");
  return at === -1 ? [] : [text.slice(at, at + 2000)];
};

/** For each manifest, the parts that name delivered files. */
const manifests: Readonly<Record<string, Reader>> = {
  "package.json": (text) => {
    const { bin, main, module, exports, scripts } = valuesIn(text);
    const { start, dev, serve } = (scripts ?? {}) as Record<string, unknown>;
    // The defaults of Node and of bundlers.
    return [bin, main ?? "index.js", module, exports, start, dev, serve, "index.html public/index.html"];
  },
  "composer.json": (text) => [valuesIn(text)["bin"]],
  "pyproject.toml": (text) => sectionsLike(text, /^\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\]/),
  "setup.cfg": behindScripts,
  "setup.py": behindScripts,
  "Cargo.toml": (text) => sectionsLike(text, /^\[(?:\[bin\]|lib)\]/),
  Dockerfile: started,
  Procfile: started,
  "serverless.yml": handled,
  "template.yaml": handled,
};

/** Files that frameworks find by their location. */
const isOfFramework = globMatcher([
  "**/management/commands/*.py",
  "**/{lambda_function,streamlit_app}.py",
  "**/database/{seeders,seeds}/**/*.php",
  "**/routes/{web,api,console,channels}.php",
  "**/{db/seeds,config/routes}.rb",
]);

/** The manifests that may deliver one of these files: those in folders above them, without manifests of test code. */
export function manifestsFor(paths: readonly string[], files: readonly string[]): string[] {
  return files.filter((file) => {
    const folder = folderOf(file);
    if (!Object.hasOwn(manifests, file.slice(folder.length)) || liesWithJudges(file)) return false;
    return paths.some((path) => path.startsWith(folder));
  });
}

/** True when a file is delivered, according to these manifests or a framework. */
export function isDelivered(path: string, read: readonly { readonly path: string; readonly text: string }[]): boolean {
  return (
    (isOfFramework(path) && !liesWithJudges(path)) ||
    read.some((manifest) => {
      const folder = folderOf(manifest.path);
      const pieces = manifests[manifest.path.slice(folder.length)]?.(manifest.text) ?? [];
      return path.startsWith(folder) && isNamedIn(JSON.stringify(pieces), path.slice(folder.length));
    })
  );
}

/** With the trailing slash. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/**
 * True when a text names a path. A program may also be named without its extension, in Python by its module (`shop.cli:main`), as a handler
 * with its function (`shop.main`).
 */
function isNamedIn(text: string, path: string): boolean {
  const words = text.split(/(?:\\[nrt"]|[\s'"=:,[\]{}()])+/).map((word) => word.replace(/^\.\//, ""));
  if (words.includes(path)) return true;
  const stem = path.replace(/\.(?:[cm]?[jt]sx?|py|rb|php)$/, "");
  if (stem === path) return false;
  const module = path.endsWith(".py") ? stem.replace(/\/__(?:main|init)__$/, "").replaceAll("/", ".") : stem;
  return words.some((word) => word === stem || word === module || word.replace(/\.\w{1,60}$/, "") === stem);
}

function valuesIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function linesLike(text: string, like: RegExp): string[] {
  return text.split("\n").filter((line) => like.test(line));
}

/** The lines of the TOML sections whose header matches. */
function sectionsLike(text: string, head: RegExp): string[] {
  let isIn = false;
  return text.split("\n").filter((line) => {
    if (line.startsWith("[")) isIn = head.test(line);
    return isIn && !line.startsWith("[");
  });
}
