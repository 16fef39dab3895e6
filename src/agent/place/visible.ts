import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import type { Mount } from "./bubblewrap.ts";

/** What a command of a verification sees of this machine: its system, and the tools that PATH names. Nothing else (D39). */

/** The system's own folders at the top; a person's, and what is mounted or runs, are not among them. */
const systemFolders = ["bin", "etc", "lib", "lib32", "lib64", "libx32", "nix", "opt", "sbin", "sys", "usr"];

/** Below a folder that holds `bin`, what its programs need; never the whole of a folder in which settings lie, too. */
const besideBin = ["lib", "lib64", "libexec", "include"];

/** Folders below HOME that tools keep themselves in, by the first names of what PATH says: those are seen whole. */
const toolFolders: ReadonlySet<string> = new Set(
  ".asdf .bun .cargo .deno .dotnet .fnm .ghcup .goenv .juliaup .jenv .mise .nodenv .nvm .opam .pyenv .rbenv .rustup .sdkman .swiftly .volta go miniconda3 anaconda3 miniforge3 n".split(
    " ",
  ),
);

/** What such a tool needs beside the folder that PATH names. */
const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  ".cargo": [".rustup"],
  ".local": [".local/share/pipx", ".local/share/uv", ".local/share/pnpm", ".local/share/mise"],
};

/** Settings and logins that lie in folders of tools: empty inside. */
const settingsInTools = [
  ".bun/bunfig.toml",
  ".cargo/config",
  ".cargo/config.toml",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".cargo/env",
  ".rustup/settings.local.toml",
];

/** The folders of PATH without those that only belong to the package that we were started from. */
export function pathInside(path: string): string {
  const isOurs = (folder: string): boolean => /(?:^|[/\\])(?:node_modules[/\\]\.bin|node-gyp-bin)[/\\]?$/.test(folder);
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/") && !isOurs(folder))
    .join(delimiter);
}

/** The system and the tools of PATH, read-only; HOME and whatever lies elsewhere is not there. */
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

/** /etc/resolv.conf often leads into /run. */
function namesOfHosts(): Mount[] {
  const file = "/etc/resolv.conf";
  const real = existsSync(file) ? realpathSync(file) : file;
  return real === file || real.startsWith("/etc/") ? [] : [{ type: "read-if-there", from: real, at: real }];
}

/** The folders of PATH that are not the system's, with what lies beside them, read-only; settings in them are empty. */
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

/** A folder of PATH, and what belongs to it. */
function seenFor(folder: string, home: string): string[] {
  const elsewhere = isInside(folder, home) ? null : toolIn(folder);
  if (elsewhere !== null) return [elsewhere];
  const [first = ""] = isInside(folder, home) ? relative(home, folder).split(sep) : [];
  if (toolFolders.has(first)) return [first, ...(alsoNeeded[first] ?? [])].map((name) => join(home, name));
  const beside = dirname(folder);
  const isPrefix = /^s?bin$/.test(folder.slice(beside.length + 1)) && beside !== home && beside !== "/";
  const parts = isPrefix ? besideBin.map((name) => join(beside, name)) : [];
  return [folder, ...parts, ...(alsoNeeded[first] ?? []).map((name) => join(home, name))];
}

/** A tool that keeps itself in another person's HOME: `/root/.pyenv` of `/root/.pyenv/shims`. Null: it is none of those. */
function toolIn(folder: string): string | null {
  const parts = folder.split(sep);
  const at = parts.findIndex((name) => name.startsWith(".") && toolFolders.has(name));
  return at === -1 ? null : parts.slice(0, at + 1).join(sep);
}

/** More programs than this in one folder below HOME: their links are not followed. */
const mostPrograms = 2_000;

/** Where the links of a folder lead that is not the system's: a program below HOME often lies elsewhere in HOME. */
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

/** Whether a path is a folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
