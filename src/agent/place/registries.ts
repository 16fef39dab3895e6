import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The parts of a person's package manager settings that setup needs to reach a registry: address, proxies, certificates and tokens.
 * Settings that change how programs run (script-shell, node-options, hooks) are left out (F-203). A criterion gets none of them.
 */
export interface RegistrySettings {
  /** The names of the settings, without values: "registry", "//npm.example.com/:_authToken". */
  readonly names: readonly string[];
  /** The content of each tool's file, by its name in `settingFiles`. */
  readonly files: Readonly<Partial<Record<SettingFile, string>>>;
}

type SettingFile = keyof typeof settingFiles;

/** The variable that tells a tool where its file is. */
const settingFiles = { npmrc: "npm_config_userconfig", "pip.conf": "PIP_CONFIG_FILE" } as const;

const ofNpm =
  /^(?:(?:@[^:\s]+:)?registry|(?:https?-)?proxy|noproxy|ca(?:file)?|ca\[\]|strict-ssl|_auth(?:Token)?|\/\/\S+:(?:_authToken|_auth|username|_password|certfile|keyfile|cafile))$/;

const ofPip = /^(?:index-url|extra-index-url|trusted-host|proxy|cert|client-cert)$/;

/** Reads the settings for setup from this HOME. */
export function registrySettings(home: string): RegistrySettings {
  const npm = picked(read(join(home, ".npmrc")), ofNpm);
  const pip = pickedForPip(read(join(home, ".config/pip/pip.conf")) || read(join(home, ".pip/pip.conf")));
  return {
    names: [...npm.names, ...pip.names],
    files: {
      ...(npm.names.length === 0 ? {} : { npmrc: npm.text }),
      ...(pip.names.length === 0 ? {} : { "pip.conf": pip.text }),
    },
  };
}

/** Writes the files into a folder. Returns the variables for the tools; `inside` is the folder's path as they see it. */
export async function layRegistries(
  { files }: RegistrySettings,
  folder: string,
  inside: string,
): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const given: Record<string, string> = {};
  for (const [name, variable] of Object.entries(settingFiles)) {
    const text = files[name as SettingFile];
    if (text === undefined) continue;
    await writeFile(join(folder, name), text, { mode: 0o600 });
    given[variable] = join(inside, name);
  }
  return given;
}

/** Returns the lines `key = value` with an allowed key. */
function picked(text: string, allowed: RegExp): { readonly names: readonly string[]; readonly text: string } {
  const lines = text.split("\n").flatMap((line) => {
    const [, name = ""] = /^\s*([^=;#\s]+)\s*=/.exec(line) ?? [];
    return allowed.test(name) ? [{ name, line: line.trim() }] : [];
  });
  return { names: lines.map((each) => each.name), text: lines.map((each) => `${each.line}\n`).join("") };
}

/**
 * Like `picked`, for pip's file, which has sections: a command's section may have the same names as `[global]`. Indented lines continue
 * a value, a name may be written in capitals or with `_`, and `:` counts as `=`.
 */
function pickedForPip(text: string): { readonly names: readonly string[]; readonly text: string } {
  const sections = new Map<string, string[]>();
  const names: string[] = [];
  let section = "global";
  /** The indentation of the last name, and where its lines go; null when it is not allowed. */
  let last: { readonly indent: number; readonly lines: string[] | null } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim();
    if (words === "" || words.startsWith("#") || words.startsWith(";")) continue;
    const indent = line.length - line.trimStart().length;
    if (last !== null && indent > last.indent) {
      last.lines?.push(`  ${words}`);
      continue;
    }
    const header = /^\[([^\]]+)\]/.exec(words)?.[1];
    if (header !== undefined) {
      section = header;
      last = null;
      continue;
    }
    const name = words.split(/[=:]/, 1).join("").trim().toLowerCase().replaceAll("_", "-");
    const lines = sections.get(section) ?? [];
    last = { indent, lines: ofPip.test(name) ? lines : null };
    if (last.lines === null) continue;
    sections.set(section, lines);
    lines.push(words);
    names.push(name);
  }
  return { names, text: [...sections].map(([name, lines]) => `[${name}]\n${lines.join("\n")}\n`).join("") };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
