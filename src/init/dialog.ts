import type { Finding } from "../core/reports/finding.ts";
import { groupsToAsk, type SettingName, type SettingToAsk } from "../core/settings.ts";
import type { Terminal } from "./terminal.ts";
import { problemsOf, trySetting, type SettingValues } from "./try-setting.ts";

/** `cos init` in a terminal: asks for settings, tries each as it is typed. Writes nothing. */

interface DialogContext {
  readonly terminal: Terminal;
  /** What the file says now. */
  readonly written: SettingValues;
  /** What this process was started with; it goes before the file. */
  readonly own: SettingValues;
  /** By name; empty: what the table says is asked. */
  readonly names: readonly string[];
}

/** What is to be written, by name; null: it goes. Throws Stopped after Ctrl-C. */
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

/** Yes or no; Enter is no, and what is neither is asked again. */
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

/** Variables that agents are given are no settings of ours: their values are asked for where nothing has them. */
async function askVariables(
  { terminal, written, own }: DialogContext,
  names: string,
  changes: Map<string, string | null>,
): Promise<void> {
  for (const name of names.split(",").map((each) => each.trim())) {
    if (!/^[A-Za-z_]\w*$/.test(name) || isSet(written[name]) || isSet(own[name]) || isSet(changes.get(name))) continue;
    const typed = await terminal.ask(`${name} (not set, not shown while you type): `, true);
    if (typed !== "") changes.set(name, typed);
  }
}

/** Whether what was typed is right, or is wanted all the same. What can be no value at all is not. */
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

/** What would be in force, with what was typed. */
export function valuesWith(
  { written, own }: Pick<DialogContext, "written" | "own">,
  changes: ReadonlyMap<string, string | null>,
): SettingValues {
  const typed = Object.fromEntries([...changes].map(([name, value]) => [name, value ?? undefined]));
  return { ...written, ...own, ...typed };
}

/** A finding of `cos doctor` as a line. */
export function findingLine({ ok, name, says }: Finding): string {
  return `  ${ok ? "✓" : "✗"} ${name}: ${says}`;
}

/** Null where it is not set. Of a secret that is long enough its beginning and end: by those people tell tokens apart. */
function shownValue(value: string | null | undefined, isSecret: boolean): string | null {
  if (!isSet(value)) return null;
  if (!isSecret) return value;
  return value.length < 24 ? "****" : `${value.slice(0, 5)}…${value.slice(-4)}`;
}

function isSet(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value.trim() !== "";
}
