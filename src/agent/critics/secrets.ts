import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import type { Line } from "../../core/critics/lines.ts";
import { globMatcher } from "../../core/text/globs.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { shorten } from "../../core/text.ts";

/**
 * Finds secrets in written lines, by secretlint's recommended rules and by our own patterns. Comments that switch secretlint off are
 * neutralized first: whoever writes the change also writes its comments. Each issue has its place, with the secret masked.
 */
export async function secretsIn(lines: readonly Line[], known: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [path, ofFile] of byPath(lines)) {
    const places = new Set([...(await linted(path, ofFile)), ...ofFile.filter((line) => isOwn(line, known))]);
    for (const line of ofFile) {
      if (places.has(line))
        found.push(`${path}:${line.number}: a secret: ${shorten(maskSecrets(masked(line.text), known).trim(), 160)}`);
    }
  }
  return found;
}

function byPath(lines: readonly Line[]): Map<string, Line[]> {
  const files = new Map<string, Line[]>();
  for (const line of lines) {
    const file = files.get(line.path);
    if (file === undefined) files.set(line.path, [line]);
    else file.push(line);
  }
  return files;
}

/** Lines in which secretlint finds a secret. */
async function linted(path: string, lines: readonly Line[]): Promise<Line[]> {
  const texts = lines.map((line) => line.text.replaceAll(/secretlint-(?:disable|enable)/gi, "secretlint_ignored"));
  const { messages } = await lintSource({
    source: {
      filePath: `/${path}`,
      content: texts.join("\n"),
      contentType: "text",
      ext: path.slice(path.lastIndexOf(".")),
    },
    options: {
      config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  });
  return messages.flatMap(({ loc }) => lines.slice(loc.start.line - 1, Math.max(loc.start.line, loc.end.line)));
}

/** Secrets that secretlint does not know: bot tokens, keys and passwords in the text. Repetitions are bounded. */
const ownPatterns: readonly RegExp[] = [
  // Discord: an id, a time and a signature.
  /\b[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}\b/,
  /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bsk-(?:[a-z]{2,10}-){0,3}[\w-]{20,200}\b/,
];
const assignment =
  /(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?["'`]?\s{0,3}(?::|=>?)\s{0,3}["'`]([^"'`\s]{8,200})["'`]/gi;
/** Values that stand for a secret and are none. */
const placeholder =
  /^(?:x{3,}|\*{3,}|\.{3,}|<.*>|\$\{.*\}?|\{\{.*\}\}|%\w+%?|your[_-].*|.*(?:example|sample|dummy|fake|placeholder|changeme|redacted|masked).*|test[\w-]{0,20}|[a-z]+(?:[._-][a-z]+)*)$/i;

/** Files of settings, whose values have no quotes. */
const isSettings = globMatcher(
  [
    "**/{.env,.env.*,*.env,.netrc,.pgpass}",
    "**/*.{ini,cfg,conf,properties,toml,y{a,}ml}",
    "**/{dockerfile,containerfile}*",
  ],
  "any-case",
);
const setting =
  /^\s{0,40}(?:export\s{1,5}|ENV\s{1,5}|ARG\s{1,5}|-\s{1,5})?[\w.-]{0,60}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]{0,20}\s{0,3}[=:]\s{0,3}([^\s"'`#${</][^\s"'`#<]{7,200})(?:\s|$)/i;

/** Patterns are applied to overlapping parts of this length, in characters, so that padding hides nothing. */
const partLength = 5000;
const overlap = 1000;

function isOwn(line: Line, known: readonly string[]): boolean {
  const { text } = line;
  if (known.some((secret) => secret.length >= 8 && text.includes(secret))) return true;
  const value = isSettings(line.path) ? setting.exec(text.slice(0, partLength))?.[1] : undefined;
  if (value !== undefined && !placeholder.test(value)) return true;
  for (let from = 0; from === 0 || from + overlap < text.length; from += partLength - overlap) {
    const part = text.slice(from, from + partLength);
    if (ownPatterns.some((pattern) => pattern.test(part))) return true;
    // A placeholder earlier in the line hides nothing.
    for (const [, assigned = ""] of part.matchAll(assignment)) if (!placeholder.test(assigned)) return true;
  }
  return false;
}

/** Masks long runs of characters that secrets are made of, in a line that holds a secret. */
function masked(text: string): string {
  return text
    .replaceAll(/[\w+/=.~-]{12,}/g, (run) => `${run.slice(0, 3)}[masked]`)
    .replaceAll(/(["'`])[^"'`\s]{8,}\1/g, "$1[masked]$1");
}
