import { examineAgent } from "../agent/acp/examine.ts";
import { tryChatSetting } from "../chat/connections.ts";
import { givenChats, parseConfig } from "../config.ts";
import { everMentioned } from "../core/on-duty.ts";
import type { Finding } from "../core/reports/finding.ts";
import type { SettingName } from "../core/settings.ts";

/** What would be in force: the file's settings with what was given, below the process's own environment. */
export type SettingValues = Readonly<Record<string, string | undefined>>;

/** What configuration says of one setting: whether its value can be one. Others that are missing or wrong are not told of. */
export function problemsOf(name: SettingName, values: SettingValues): readonly string[] {
  const read = parseConfig(values);
  return read.type === "ok" ? [] : read.problems.filter((problem) => problem.startsWith(`${name}: `));
}

/** Tries a setting as `cos doctor` would: a token by asking with it, an agent by starting it. Empty: nothing can be tried of it. */
export async function trySetting(name: SettingName, values: SettingValues): Promise<readonly Finding[]> {
  if (values[name] === undefined || values[name] === "") return [];
  if (name === "COS_AGENT") return [await tryAgent(values)];
  const approvers = approversOf(values);
  return await tryChatSetting(givenChats(values), name, { approvers, mentioned: mentionedBy(values, approvers) });
}

async function tryAgent(values: SettingValues): Promise<Finding> {
  const { COS_AGENT: agent = "", COS_AGENT_ENV: names = "" } = values;
  const given = Object.fromEntries(names.split(",").map((each) => [each.trim(), values[each.trim()]]));
  const named = parseConfig({ ...given, COS_AGENT: agent, COS_AGENT_ENV: names });
  // Variables that are still to come: it is started without.
  const read = named.type === "ok" ? named : parseConfig({ COS_AGENT: agent });
  if (read.type === "invalid") return { name: "agent", ok: false, says: read.problems.join("; ") };
  return await examineAgent({ ...read.config, startMs: read.config.policy.goals.startMs });
}

function approversOf({ COS_APPROVERS: approvers = "" }: SettingValues): string[] {
  return approvers
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Whom something mentions once these are in force; the approvers while it cannot be told. */
function mentionedBy(values: SettingValues, approvers: readonly string[]): readonly string[] {
  const { COS_APPROVERS, COS_PEOPLE, COS_ON_DUTY, COS_SECOND } = values;
  const read = parseConfig({ COS_APPROVERS, COS_PEOPLE, COS_ON_DUTY, COS_SECOND });
  return read.type === "ok" ? everMentioned(read.config) : approvers;
}
