import type { Finding } from "../core/reports/finding.ts";
import { groupsToAsk, type SettingName } from "../core/settings.ts";
import { onlyNear } from "../core/text/nearest.ts";
import { parseConfig } from "../config.ts";
import { askSettings, confirmInTerminal, valuesWith } from "./dialog.ts";
import { readSettings, writeSettings } from "./settings-file.ts";
import { Stopped, type Terminal } from "./terminal.ts";
import { problemsOf, trySetting, type SettingValues } from "./try-setting.ts";

/** `cos init`: writes the settings file, by asking, or in scripts from the environment. */

interface Init {
  readonly file: string;
  /** The environment of this process. */
  readonly own: SettingValues;
  /** The settings to ask for; empty for those that are asked by default. */
  readonly names: readonly string[];
}

export type InitOutcome =
  | {
      readonly type: "written";
      readonly names: readonly string[];
      readonly findings: readonly Finding[];
      /** What is missing or wrong in the file; with these the bot does not start. */
      readonly problems: readonly string[];
    }
  | { readonly type: "unchanged" }
  | {
      readonly type: "refused";
      readonly reason: string;
      readonly next: string;
      readonly findings: readonly Finding[];
    };

/** Asks in a terminal. Nothing is written before the last answer, so Ctrl-C leaves the file unchanged. */
export async function initByAsking(init: Init, terminal: Terminal): Promise<InitOutcome> {
  const unknown = unknownNames(init.names);
  if (unknown !== null) return unknown;
  const written = await readSettings(init.file);
  terminal.say(`Settings are written to ${init.file}.`);
  terminal.say("Enter keeps what is there, - removes it, Ctrl-C leaves everything as it is.");
  try {
    const changes = await askSettings({ ...init, terminal, written });
    if (changes.size === 0) return { type: "unchanged" };
    const problems = problemsIn(valuesWith({ written, own: init.own }, changes));
    for (const problem of problems) terminal.say(`  ✗ ${problem}`);
    if (
      problems.length > 0 &&
      !(await confirmInTerminal(terminal, "The bot does not start like this. Write it all the same?"))
    )
      return refused(problems.join("; "), "cos init", []);
    terminal.goOn();
    await writeSettings(init.file, changes);
    return { type: "written", names: [...changes.keys()], findings: [], problems };
  } catch (error) {
    if (error instanceof Stopped) return refused("stopped: nothing was written", "cos init", []);
    throw error;
  }
}

/** Writes settings from the environment, because other users could read secrets on a command line. */
export async function initFromEnvironment(init: Init, isTried: boolean): Promise<InitOutcome> {
  const unknown = unknownNames(init.names);
  if (unknown !== null) return unknown;
  const names = namesToAsk(init.names);
  const given = names.flatMap((name): [string, string][] => {
    const value = init.own[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value]];
  });
  const missing = init.names.filter((name) => given.every(([each]) => each !== name));
  if (missing.length > 0) return refused(`not set in the environment: ${missing.join(", ")}`, howInScripts([]), []);
  if (given.length === 0) return refused("the environment has no setting to write", howInScripts([]), []);
  const written = await readSettings(init.file);
  // The agents' own variables are written below COS_AGENT_ENV.
  const changes = new Map([...given, ...agentVariables(new Map(given), init.own)]);
  const values = valuesWith({ written, own: init.own }, changes);
  const wrong = names.flatMap((name) => (changes.has(name) ? problemsOf(name, values) : []));
  if (wrong.length > 0) return refused(wrong.join("; "), "correct these in the environment", []);
  const findings: Finding[] = [];
  if (isTried) for (const [name] of given) findings.push(...(await trySetting(nameOf(name), values)));
  const bad = findings.filter(({ ok }) => !ok);
  if (bad.length > 0) {
    const reason = bad.map(({ name, says }) => `${name}: ${says}`).join("; ");
    return refused(`${reason}. Nothing was written`, "correct it, or say --untried", findings);
  }
  await writeSettings(init.file, changes);
  return { type: "written", names: [...changes.keys()], findings, problems: problemsIn(values) };
}

/** Returns what to set when nobody can be asked. */
export function howInScripts(names: readonly string[]): string {
  return `set what is to be written in the environment (${namesToAsk(names).join(", ")}) and say: cos init --yes`;
}

function agentVariables(given: ReadonlyMap<string, string>, own: SettingValues): [string, string][] {
  const names = (given.get("COS_AGENT_ENV") ?? "").split(",").map((each) => each.trim());
  return names.flatMap((name): [string, string][] => {
    const value = Object.hasOwn(own, name) ? own[name] : undefined;
    return value === undefined || value === "" ? [] : [[name, value]];
  });
}

function problemsIn(values: SettingValues): readonly string[] {
  const read = parseConfig(values);
  return read.type === "ok" ? [] : read.problems;
}

const everySetting = groupsToAsk.flatMap(({ settings }) => settings);

function namesToAsk(names: readonly string[]): SettingName[] {
  const wanted = everySetting.filter((each) => (names.length === 0 ? each.isAsked : names.includes(each.name)));
  return wanted.map(({ name }) => name);
}

/** Returns a name as a setting's name. Unknown names were refused before. */
function nameOf(name: string): SettingName {
  const found = everySetting.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no setting: ${name}`);
  return found.name;
}

/** Returns "COS_AGNT (did you mean COS_AGENT?)". */
function withMeant(name: string): string {
  const meant = onlyNear(
    name,
    everySetting.map((each) => each.name),
  );
  return meant === null ? name : `${name} (did you mean ${meant}?)`;
}

/** Refuses names that are not settings; null when all are. */
export function unknownNames(names: readonly string[]): InitOutcome | null {
  const unknown = names.filter((name) => everySetting.every((each) => each.name !== name));
  return unknown.length === 0
    ? null
    : refused(`no such setting: ${unknown.map(withMeant).join(", ")}`, "cos init --help", []);
}

function refused(reason: string, next: string, findings: readonly Finding[]): InitOutcome {
  return { type: "refused", reason, next, findings };
}
