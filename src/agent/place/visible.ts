import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import type { Mount } from "./bubblewrap.ts";

/** The parts of this machine that a verification command sees (D39): its system, and the tools that PATH names. */

/** The system's top-level folders. Folders of people, mounts and running programs are not among them. */
const systemFolders = ["bin", "etc", "lib", "lib32", "lib64", "libx32", "nix", "opt", "sbin", "sys", "usr"];

/** Folders beside a `bin` that its programs need. Never the whole parent folder, which may hold settings. */
const besideBin = ["lib", "lib64", "libexec", "include"];

/** First folder names below HOME of tools that PATH may name; these folders are visible as a whole. */
const toolFolders: ReadonlySet<string> = new Set(
  ".asdf .bun .cargo .deno .dotnet .fnm .ghcup .goenv .juliaup .jenv .mise .nodenv .nvm .opam .pyenv .rbenv .rustup .sdkman .swiftly .volta go miniconda3 anaconda3 miniforge3 n".split(
    " ",
  ),
);

/** Further folders that such a tool needs. */
const alsoNeeded: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ".cargo": [".rustup"],
    ".local": [".local/share/pipx", ".local/share/uv", ".local/share/pnpm", ".local/share/mise"],
  }),
);

/** Settings and logins in folders of tools; empty inside. */
const settingsInTools = [
  ".bun/bunfig.toml",
  ".cargo/config",
  ".cargo/config.toml",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".cargo/env",
  ".rustup/settings.local.toml",
];

/** Returns PATH without relative folders and without those of the package from which we were started. */
export function pathInside(path: string): string {
  const isOurs = (folder: string): boolean => /(?:^|[/\\])(?:node_modules[/\\]\.bin|node-gyp-bin)[/\\]?$/.test(folder);
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/") && !isOurs(folder))
    .join(delimiter);
}

/** Mounts for the system's folders, read-only. HOME and everything elsewhere is missing. */
export function systemMounts(): Mount[] {
  const system = systemFolders.flatMap((name): Mount[] => {
    const at = `/${name}`;
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isSymbolicLink()) return [{ type: "link", to: readlinkSync(at), at }];
    return [{ type: "read", from: at, at }];
  });
  return [...system, ...namesOfHosts()];
}

/** /etc/resolv.conf often links into /run. */
function namesOfHosts(): Mount[] {
  const file = "/etc/resolv.conf";
  const real = existsSync(file) ? realpathSync(file) : file;
  return real === file || real.startsWith("/etc/") ? [] : [{ type: "read-if-there", from: real, at: real }];
}

/** Mounts for the folders of PATH outside the system, with the folders beside them, read-only. Settings in them are empty. */
export function toolMounts({ path, home }: { readonly path: string; readonly home: string }): Mount[] {
  const folders = path
    .split(delimiter)
    .filter((folder) => existsSync(folder) && !isOfSystem(folder) && folder !== home && folder !== "/");
  const seen = new Set(folders.flatMap((folder) => [...seenFor(folder, home), ...linkedFrom(folder, home)]));
  const wanted = [...seen].filter((folder) => existsSync(folder) && !isOfSystem(folder)).sort();
  const shown = wanted.filter((folder) => !wanted.some((other) => other !== folder && isInside(folder, other)));
  const hidden = settingsInTools.map((name) => join(home, name)).filter((file) => existsSync(file));
  return [
    ...shown.map((folder): Mount => ({ type: "read", from: folder, at: folder })),
    ...hidden
      .filter((file) => shown.some((folder) => isInside(file, folder)))
      .map((file): Mount => ({ type: "read", from: "/dev/null", at: file })),
  ];
}

/** A folder of PATH, with the folders that belong to it. */
function seenFor(folder: string, home: string): string[] {
  const elsewhere = isInside(folder, home) ? null : toolIn(folder);
  if (elsewhere !== null) return [elsewhere];
  const [first = ""] = isInside(folder, home) ? relative(home, folder).split(sep) : [];
  if (toolFolders.has(first)) return [first, ...(alsoNeeded.get(first) ?? [])].map((name) => join(home, name));
  const beside = dirname(folder);
  const isPrefix = /^s?bin$/.test(folder.slice(beside.length + 1)) && beside !== home && beside !== "/";
  const parts = isPrefix ? besideBin.map((name) => join(beside, name)) : [];
  return [folder, ...parts, ...(alsoNeeded.get(first) ?? []).map((name) => join(home, name))];
}

/** The folder of a tool in another user's HOME: `/root/.pyenv` for `/root/.pyenv/shims`. Null when it is not such a tool. */
function toolIn(folder: string): string | null {
  const parts = folder.split(sep);
  const at = parts.findIndex((name) => name.startsWith(".") && toolFolders.has(name));
  return at === -1 ? null : parts.slice(0, at + 1).join(sep);
}

/** Maximum number of programs in one folder whose links are followed. */
const mostPrograms = 2_000;

/** The folders to which links in a folder lead: a program below HOME is often installed elsewhere in HOME. */
function linkedFrom(folder: string, home: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .slice(0, mostPrograms)
    .flatMap((entry) => {
      if (!entry.isSymbolicLink()) return [];
      const file = join(folder, entry.name);
      const real = existsSync(file) ? realpathSync(file) : home;
      const target = dirname(real);
      if (real === home || target === home || target === "/" || isOfSystem(real) || isInside(real, folder)) return [];
      return seenFor(target, home);
    });
}

function isOfSystem(path: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path;
  return (
    systemFolders.some((name) => isInside(real, `/${name}`)) && systemFolders.some((name) => isInside(path, `/${name}`))
  );
}

/** True when a path is a folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
