import { homedir } from "node:os";
import { resolve } from "node:path";
import type { SettingsReader } from "../chat/settings-reader.ts";
import { dollars, usdIn } from "../core/money.ts";
import { otherNames, secretSettings, type SettingName } from "../core/settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The result of a parser for a value that it cannot read. */
interface Wrong {
  readonly type: "wrong";
  readonly expected: string;
}

interface Rule {
  readonly isRight: (found: number) => boolean;
  /** The expectation in words. */
  readonly expected: string;
  readonly read?: (text: string) => number;
}

/** Reads values of an environment, and collects their problems. */
export interface Reader extends SettingsReader {
  readonly environment: Environment;
  /** One line for each problem: the name, what was found (secrets masked), what is expected. */
  readonly problems: string[];
  /** Returns the comma-separated entries, without empty ones. */
  list(name: SettingName): string[];
  /**
   * Returns an absolute folder; null when none is set. `~` is the home folder, and relative folders are resolved in `from` (see
   * `settingFolder`).
   */
  folder(name: SettingName, from: string): string | null;
  /** Returns an amount in US dollars as micro-USD. */
  usd(name: SettingName, fallbackMicroUsd: number): number;
  /** Returns one of the choices; the first when nothing is set. */
  choice<Choice extends string>(name: SettingName, choices: readonly [Choice, ...Choice[]]): Choice;
  /** Returns the parsed value. Null when the parser refused it; the problem is then recorded. */
  right<Read extends { readonly type: "read" }>(name: SettingName, read: Read | Wrong): Read | null;
}

/**
 * Opens a reader. Empty values count as not set. If a setting is missing, the name that other programs use for it is read, unless
 * COS_AGENT_ENV gives that variable to agents. A setting of ours that is set but empty turns this off.
 */
export function openReader(environment: Environment): Reader {
  const problems: string[] = [];

  function value(name: SettingName): string | null {
    const own = environment[name]?.trim();
    const other = otherNames.get(name);
    if (own !== undefined || other === undefined || namesIn(environment["COS_AGENT_ENV"]).includes(other))
      return own || null;
    return environment[other]?.trim() || null;
  }

  function problem(name: SettingName, expected: string): void {
    const text = value(name);
    const found =
      text === null ? "nothing" : secretSettings.includes(name) ? "***" : JSON.stringify(withoutLogin(text));
    problems.push(`${name}: found ${found}, expected ${expected}`);
  }

  /** Returns the value if it is right, else the fallback. */
  function number(name: SettingName, fallback: number, { isRight, expected, read = Number }: Rule): number {
    const text = value(name);
    if (text === null) return fallback;
    if (isRight(read(text))) return read(text);
    problem(name, expected);
    return fallback;
  }

  return {
    environment,
    problems,
    value,
    problem,
    list: (name) => namesIn(value(name)),
    folder(name, from) {
      const text = value(name);
      return text === null ? null : settingFolder(text, from);
    },
    integer(name, fallback, least, most) {
      const isRight = (found: number): boolean => Number.isInteger(found) && found >= least && found <= most;
      return number(name, fallback, { isRight, expected: `a whole number from ${least} to ${most}` });
    },
    usd(name, fallbackMicroUsd) {
      const isRight = (found: number): boolean => Number.isFinite(found) && found > 0 && found <= 1_000_000;
      const expected = "an amount in US dollars above 0, such as 15 or 2.50";
      const found = number(name, Number.NaN, { isRight, expected, read: usdIn });
      return Number.isNaN(found) ? fallbackMicroUsd : dollars(found);
    },
    url(name, protocols) {
      const text = value(name);
      if (text === null) return null;
      if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
      problem(name, `an address that starts with ${protocols.map((each) => `${each}//`).join(" or ")}`);
      return null;
    },
    choice(name, choices) {
      const text = value(name);
      const found = choices.find((each) => each === text);
      if (text !== null && found === undefined) problem(name, choices.join(" or "));
      return found ?? choices[0];
    },
    right(name, read) {
      if (read.type === "read") return read;
      problem(name, read.expected);
      return null;
    },
  };
}

function namesIn(text: string | null | undefined): string[] {
  return (text ?? "").split(",").flatMap((each) => each.trim() || []);
}

/**
 * Resolves a folder as people write it: `~` is expanded, because no shell has done that in a settings file. Relative folders are in
 * `from`.
 */
export function settingFolder(text: string, from: string): string {
  const isHome = text === "~" || text.startsWith("~/");
  return isHome ? resolve(homedir(), `.${text.slice(1)}`) : resolve(from, text);
}

/** Removes user and password from a URL, because problems are shown where others can read them. */
function withoutLogin(text: string): string {
  return text.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/)[^/\s@]*(?:@[^/\s@]*)*@/gi, "$1***@");
}
