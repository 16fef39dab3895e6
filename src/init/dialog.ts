import type { Finding } from "../core/reports/finding.ts";
import { groupsToAsk, type SettingName, type SettingToAsk } from "../core/settings.ts";
import type { Terminal } from "./terminal.ts";
import { problemsOf, trySetting, type SettingValues } from "./try-setting.ts";

/** `cos init` in a terminal: asks for settings and tries each one as it is typed. Writes nothing. */

interface DialogContext {
  readonly terminal: Terminal;
  /** The settings that the file contains now. */
  readonly written: SettingValues;
  /** The environment of this process; it overrides the file. */
  readonly own: SettingValues;
  /** The settings to ask for; empty for those that are asked by default. */
  readonly names: readonly string[];
}

/** Returns the settings to write, by name; null removes one. Throws Stopped after Ctrl-C. */
export async function askSettings(dialog: DialogContext): Promise<Map<string, string | null>> {
  const { terminal, names } = dialog;
  const changes = new Map<string, string | null>();
  for (const { title, settings } of groupsToAsk) {
    const asked = settings.filter((each) => (names.length === 0 ? each.isAsked : names.includes(each.name)));
    if (asked.length === 0) continue;
    terminal.say("");
    if (names.length === 0 && !(await confirmInTerminal(terminal, groupQuestion(title, asked, dialog.written))))
      continue;
    for (const setting of asked) await askSetting(dialog, setting, changes);
  }
  return changes;
}

/** Asks for yes or no. Enter means no; any other answer is asked again. */
export async function confirmInTerminal(terminal: Terminal, question: string): Promise<boolean> {
  for (;;) {
    const answer = await terminal.ask(`${question} (y/N) `);
    if (/^y(?:es)?$/i.test(answer)) return true;
    if (/^(?:no?)?$/i.test(answer)) return false;
    terminal.say("Please answer y or n.");
  }
}

function groupQuestion(title: string, settings: readonly SettingToAsk[], written: SettingValues): string {
  const set = settings.flatMap(({ name }) => (isSet(written[name]) ? [name] : []));
  return set.length === 0 ? `${title}: set it up?` : `${title}: change it? Set are ${set.join(", ")}.`;
}

async function askSetting(
  dialog: DialogContext,
  setting: SettingToAsk,
  changes: Map<string, string | null>,
): Promise<void> {
  const { terminal, written, own } = dialog;
  const { name, about, usual, isSecret } = setting;
  terminal.say(about);
  if (isSet(own[name])) terminal.say(`  ${name} is set in this environment too, and that goes before the file.`);
  for (;;) {
    const now = shownValue(written[name], isSecret) ?? (usual === null ? "not set" : `not set: ${usual}`);
    const hidden = isSecret ? ", not shown while you type" : "";
    const typed = await terminal.ask(`${name} (${now}${hidden}): `, isSecret);
    if (typed === "") return;
    if (typed === "-") {
      changes.set(name, null);
      return;
    }
    changes.set(name, typed);
    if (name === "COS_AGENT_ENV") await askVariables(dialog, typed, changes);
    if (await isKept(dialog, name, changes)) return;
    changes.delete(name);
  }
}

/** Asks for the variables that agents get and that are set nowhere. They are not settings of ours. */
async function askVariables(
  { terminal, written, own }: DialogContext,
  names: string,
  changes: Map<string, string | null>,
): Promise<void> {
  for (const name of names.split(",").map((each) => each.trim())) {
    const isThere = [written, own].some((values) => Object.hasOwn(values, name) && isSet(values[name]));
    if (!/^[A-Za-z_]\w*$/.test(name) || isThere || isSet(changes.get(name))) continue;
    const typed = await terminal.ask(`${name} (not set, not shown while you type): `, true);
    if (typed !== "") changes.set(name, typed);
  }
}

/** True when the typed value is right, or is wanted all the same. An invalid value is never kept. */
async function isKept(dialog: DialogContext, name: SettingName, changes: Map<string, string | null>): Promise<boolean> {
  const { terminal } = dialog;
  const values = valuesWith(dialog, changes);
  const problems = problemsOf(name, values);
  for (const problem of problems) terminal.say(`  ✗ ${problem}`);
  if (problems.length > 0) return false;
  const findings = await trySetting(name, values);
  for (const finding of findings) terminal.say(findingLine(finding));
  return findings.every(({ ok }) => ok) || (await confirmInTerminal(terminal, "  Keep it all the same?"));
}

/** Returns the settings that would be in force with the typed values. */
export function valuesWith(
  { written, own }: Pick<DialogContext, "written" | "own">,
  changes: ReadonlyMap<string, string | null>,
): SettingValues {
  const typed = Object.fromEntries([...changes].map(([name, value]) => [name, value ?? undefined]));
  return { ...written, ...own, ...typed };
}

/** Returns a finding of `cos doctor` as a line. */
export function findingLine({ ok, name, says }: Finding): string {
  return `  ${ok ? "✓" : "✗"} ${name}: ${says}`;
}

/**
 * Returns a value for display; null when it is not set. Of a long secret the first and last characters are shown, by which people
 * recognise tokens.
 */
function shownValue(value: string | null | undefined, isSecret: boolean): string | null {
  if (!isSet(value)) return null;
  if (!isSecret) return value;
  return value.length < 24 ? "****" : `${value.slice(0, 5)}…${value.slice(-4)}`;
}

function isSet(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value.trim() !== "";
}
