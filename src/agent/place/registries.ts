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
  const pip = picked(read(join(home, ".config/pip/pip.conf")) || read(join(home, ".pip/pip.conf")), ofPip);
  return {
    names: [...npm.names, ...pip.names],
    files: {
      ...(npm.names.length === 0 ? {} : { npmrc: npm.text }),
      ...(pip.names.length === 0 ? {} : { "pip.conf": `[global]\n${pip.text}` }),
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

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
