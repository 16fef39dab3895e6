import { examineAgent } from "../agent/acp/examine.ts";
import { tryChatSetting } from "../chat/connections.ts";
import { givenChats, parseConfig } from "../config.ts";
import { everMentioned } from "../core/on-duty.ts";
import type { Finding } from "../core/reports/finding.ts";
import type { SettingName } from "../core/settings.ts";

/** The settings that would be in force: those of the file with the given values, overridden by the environment. */
export type SettingValues = Readonly<Record<string, string | undefined>>;

/** Returns the configuration's problems with one setting. Problems of other settings are left out. */
export function problemsOf(name: SettingName, values: SettingValues): readonly string[] {
  const read = parseConfig(values);
  return read.type === "ok" ? [] : read.problems.filter((problem) => problem.startsWith(`${name}: `));
}

/** Tries a setting as `cos doctor` would: a token with a request, an agent by starting it. Empty when it cannot be tried. */
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
  // If some of its variables are still missing, the agent is started without them.
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

/** Returns the people who would be mentioned with these settings; the approvers when that is not known yet. */
function mentionedBy(values: SettingValues, approvers: readonly string[]): readonly string[] {
  const { COS_APPROVERS, COS_PEOPLE, COS_ON_DUTY, COS_SECOND } = values;
  const read = parseConfig({ COS_APPROVERS, COS_PEOPLE, COS_ON_DUTY, COS_SECOND });
  return read.type === "ok" ? everMentioned(read.config) : approvers;
}
