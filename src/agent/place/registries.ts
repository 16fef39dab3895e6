import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Of a person's settings of package managers, what setup needs to reach a registry: its address, proxies, certificates and
 * tokens. What changes how anything runs (script-shell, node-options, hooks) is left out (F-203). A criterion gets none of it.
 */
export interface RegistrySettings {
  /** The names of what was taken, without values: "registry", "//npm.example.com/:_authToken". */
  readonly names: readonly string[];
  /** The text of a file for each tool, by its name in `settingFiles`. */
  readonly files: Readonly<Partial<Record<SettingFile, string>>>;
}

type SettingFile = keyof typeof settingFiles;

/** The variable by which a tool finds its file. */
const settingFiles = { npmrc: "npm_config_userconfig", "pip.conf": "PIP_CONFIG_FILE" } as const;

const ofNpm =
  /^(?:(?:@[^:\s]+:)?registry|(?:https?-)?proxy|noproxy|ca(?:file)?|ca\[\]|strict-ssl|_auth(?:Token)?|\/\/\S+:(?:_authToken|_auth|username|_password|certfile|keyfile|cafile))$/;

const ofPip = /^(?:index-url|extra-index-url|trusted-host|proxy|cert|client-cert)$/;

/** What setup gets of the settings that lie in this HOME. */
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

/** Writes them into a folder; the variables by which tools find them where the folder is seen as `inside`. */
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

/** The lines `key = value` whose key is allowed. */
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
