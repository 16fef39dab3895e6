import { webApi } from "@slack/bolt";
import type { Finding } from "../../core/reports/finding.ts";
import type { SettingName } from "../../core/settings.ts";
import { adviceFor, clientOptions, errorWord, openClient, socketError } from "./clients.ts";
import { findChannel, isChannelId } from "./messages.ts";
import { membersOf } from "./people.ts";
import { botScopes, groupScope, type SlackSettings } from "./settings.ts";

/** Returns the lines of `cos doctor` about Slack (token, scopes, channel, socket, approvers), each with what to do. */
export async function examineSlack(
  settings: SlackSettings,
  approvers: readonly string[],
  knownId: string | null = null,
): Promise<Finding[]> {
  const client = openClient(settings);
  const token = await examineToken(client);
  if (!token.ok) return [token];
  return [
    token,
    await examineScopes(client, approvers),
    await examineChannel(client, settings.channel, knownId),
    await examineReceiver(settings),
    ...(await examineApprovers(client, approvers)),
  ];
}

/** Checks one Slack setting as soon as it is given. Empty when nothing can be checked yet. */
export async function trySlack(
  settings: SlackSettings,
  name: SettingName,
  approvers: readonly string[],
): Promise<Finding[]> {
  if (name === "SLACK_APP_TOKEN") return settings.appToken === null ? [] : [await examineReceiver(settings)];
  if (settings.botToken === "") return [];
  const client = openClient(settings);
  if (name === "COS_APPROVERS") return await examineApprovers(client, approvers);
  if (name === "SLACK_CHANNEL")
    return settings.channel === "" ? [] : [await examineChannel(client, settings.channel, null)];
  if (name !== "SLACK_BOT_TOKEN") return [];
  const token = await examineToken(client);
  return token.ok ? [token, await examineScopes(client, approvers)] : [token];
}

async function examineToken(client: webApi.WebClient): Promise<Finding> {
  const name = "slack token";
  try {
    const { team, user } = await client.auth.test();
    return { name, ok: true, says: `${user ?? "the app"} in ${team ?? "the workspace"}` };
  } catch (error) {
    return failed(name, error);
  }
}

async function examineScopes(client: webApi.WebClient, approvers: readonly string[]): Promise<Finding> {
  const answered = await client.auth.test();
  const granted = answered.response_metadata?.scopes ?? [];
  const namesGroups = approvers.some((each) => each.startsWith("slack:S"));
  const needed = botScopes.filter((scope) => namesGroups || scope !== groupScope);
  const missing = needed.filter((scope) => !granted.includes(scope));
  const says =
    missing.length === 0
      ? "all granted"
      : `missing ${missing.join(", ")}: update the app with slack-manifest.yaml and install it again`;
  return { name: "slack scopes", ok: missing.length === 0, says };
}

/** Examines the channel that settings name. A channel that was renamed since is still the same (F-403). */
async function examineChannel(client: webApi.WebClient, given: string, knownId: string | null): Promise<Finding> {
  const name = "slack channel";
  try {
    const id = isChannelId(given) ? given : (knownId ?? (await findChannel(client, given)));
    const { channel } = await client.conversations.info({ channel: id });
    const isRenamed = given.startsWith("#") && given !== `#${channel?.name}`;
    const called = `#${channel?.name ?? given}${isRenamed ? ` (${given} before: SLACK_CHANNEL=${id} always finds it)` : ""}`;
    if (channel?.is_archived === true)
      return { name, ok: false, says: `${called} is archived: choose another in SLACK_CHANNEL` };
    if (channel?.is_member !== true)
      return { name, ok: false, says: `not a member of ${called}: type /invite @Chief of Staff there` };
    return { name, ok: true, says: `member of ${called}` };
  } catch (error) {
    return failed(name, error);
  }
}

async function examineReceiver(settings: SlackSettings): Promise<Finding> {
  if (settings.appToken === null) {
    return { name: "slack requests", ok: true, says: `signed, on port ${settings.port} (SLACK_PORT)` };
  }
  const name = "slack socket";
  try {
    const client = new webApi.WebClient(settings.appToken, clientOptions(settings));
    const { url = "" } = await client.apps.connections.open();
    const trouble = await unreached(url);
    return trouble === null ? { name, ok: true, says: "Socket Mode may be opened" } : failed(name, trouble);
  } catch (error) {
    const word = errorWord(error);
    return {
      name,
      ok: false,
      says: `${word}: SLACK_APP_TOKEN needs the scope connections:write, and Socket Mode must be on`,
    };
  }
}

/**
 * Returns why the server of a socket cannot be reached; null when it answers. No socket is opened, because Slack would send it a part of
 * the events.
 */
async function unreached(socketUrl: string): Promise<Error | null> {
  const { origin } = new URL(socketUrl.replace(/^ws/, "http"));
  try {
    const { body } = await fetch(origin, { redirect: "manual", signal: AbortSignal.timeout(longestMs) });
    await body?.cancel();
    return null;
  } catch (error) {
    return socketError(error);
  }
}

const longestMs = 10_000;

async function examineApprovers(client: webApi.WebClient, approvers: readonly string[]): Promise<Finding[]> {
  const name = "slack approvers";
  const mine = approvers.filter((each) => each.startsWith("slack:")).map((each) => each.slice("slack:".length));
  if (mine.length === 0) {
    return [
      {
        name,
        ok: false,
        says: "nobody may decide in Slack: set COS_APPROVERS=slack:U… (your profile, Copy member ID)",
      },
    ];
  }
  const found: Finding[] = [];
  for (const id of mine) {
    found.push(id.startsWith("S") ? await examineGroup(client, id) : await examinePerson(client, id));
  }
  return found;
}

async function examineGroup(client: webApi.WebClient, id: string): Promise<Finding> {
  const name = `slack approver ${id}`;
  try {
    const { length } = await membersOf(client, id);
    const says =
      length === 0
        ? "nobody is in this user group: add somebody in Slack, or name another in COS_APPROVERS"
        : `a user group of ${length}`;
    return { name, ok: length > 0, says };
  } catch (error) {
    return failed(name, error);
  }
}

async function examinePerson(client: webApi.WebClient, id: string): Promise<Finding> {
  const name = `slack approver ${id}`;
  try {
    const { user } = await client.users.info({ user: id });
    if (user?.deleted === true)
      return {
        name,
        ok: false,
        says: `@${user.name ?? id} is deactivated and may not decide: name somebody else in COS_APPROVERS`,
      };
    return { name, ok: true, says: `@${user?.name ?? id}` };
  } catch (error) {
    return failed(name, error);
  }
}

function failed(name: string, error: unknown): Finding {
  const word = errorWord(error);
  const advice = adviceFor(word);
  return { name, ok: false, says: advice === null ? word : `${word}: ${advice}` };
}
