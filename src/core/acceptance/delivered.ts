import { globMatcher } from "../text/globs.ts";
import { liesWithJudges } from "./proven-programs.ts";

/** What a manifest, or a framework by where a file lies, says to be what is delivered: it is proven, whoever else names it. */

type Reader = (text: string) => readonly unknown[];

const started: Reader = (text) => linesLike(text, /^(?:CMD|ENTRYPOINT|\w+:)/);
const handled: Reader = (text) => linesLike(text, /^\s{0,20}handler:/i);
const behindScripts: Reader = (text) => {
  const at = text.indexOf("console_scripts");
  return at === -1 ? [] : [text.slice(at, at + 2000)];
};

/** Of each manifest, the pieces that name what is delivered. */
const manifests: Readonly<Record<string, Reader>> = {
  "package.json": (text) => {
    const { bin, main, module, exports, scripts } = valuesIn(text);
    const { start, dev, serve } = (scripts ?? {}) as Record<string, unknown>;
    // What Node takes where nothing is said, and what a bundler does.
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

/** What frameworks find by where it lies. */
const isOfFramework = globMatcher([
  "**/management/commands/*.py",
  "**/{lambda_function,streamlit_app}.py",
  "**/database/{seeders,seeds}/**/*.php",
  "**/routes/{web,api,console,channels}.php",
  "**/{db/seeds,config/routes}.rb",
]);

/** Which manifests of a repository may deliver one of these files: those of the folders above them, not those of what judges. */
export function manifestsFor(paths: readonly string[], files: readonly string[]): string[] {
  return files.filter((file) => {
    const folder = folderOf(file);
    if (!Object.hasOwn(manifests, file.slice(folder.length)) || liesWithJudges(file)) return false;
    return paths.some((path) => path.startsWith(folder));
  });
}

/** Whether a file is what is delivered, as these manifests or a framework say. */
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

/** With the slash. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** By its path; a program also without its ending, of Python by its module (`shop.cli:main`), of a handler with its function (`shop.main`). */
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

/** The lines of a TOML file's sections with such a head. */
function sectionsLike(text: string, head: RegExp): string[] {
  let isIn = false;
  return text.split("\n").filter((line) => {
    if (line.startsWith("[")) isIn = head.test(line);
    return isIn && !line.startsWith("[");
  });
}
