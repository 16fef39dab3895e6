import { readFileSync } from "node:fs";
import { parse } from "dotenv";

/** A settings file exists and cannot be read. The message says which file, why and what to do. */
export class SettingsFileError extends Error {
  override readonly name = "SettingsFileError";
}

/** Returns the settings of a file; empty when there is no file. Throws SettingsFileError. */
export function settingsIn(file: string): Record<string, string> {
  return parseSettings(settingsText(file));
}

/** Returns the text of a settings file; empty when there is no file. Throws SettingsFileError. */
export function settingsText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return "";
    const next = code === "EISDIR" ? "it is a folder: put a file there" : "let this user read it, or remove it";
    throw new SettingsFileError(`${file} cannot be read (${code}): ${next}`);
  }
}

/**
 * Parses settings like dotenv, with one exception: in an unquoted value, a comment begins only at a `#` after white space, as in shells
 * and Docker. So `SLACK_CHANNEL=#general` names a channel, and a password may contain a `#`.
 */
export function parseSettings(text: string): Record<string, string> {
  const settings = parse(text);
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/.exec(line) ?? [];
    const hash = value.indexOf("#");
    if (hash < 0 || /["'`]/.test(value) || /\s/.test(value.charAt(hash - 1))) continue;
    // The line is the one that dotenv has read, not a line of a longer value.
    if (settings[name] === value.slice(0, hash).trim()) settings[name] = withoutComment(value);
  }
  return settings;
}

function withoutComment(value: string): string {
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}
