import { type ChatSettings, connectionsOf } from "./chat/connections.ts";
import type { Channel } from "./chat/platform.ts";
import type { Config } from "./config.ts";
import { namesGroup } from "./core/chat-platforms.ts";
import { mirrorsWords, quorumWords } from "./core/cards/agreement-words.ts";
import { evictionWords, troubleAdvice, troubleWords } from "./core/cards/outage-words.ts";
import { everMentioned } from "./core/on-duty.ts";
import type { Finding } from "./core/reports/finding.ts";
import type { ServerAddress } from "./core/outages/trouble.ts";
import { evictionOf, probeRedis } from "./queue.ts";
import { whereOf } from "./core/outages/where.ts";

/**
 * Checks tokens, channels and approvers with the configured chat platforms, and what questions need there. `idOf` returns a platform's
 * id of a channel, if it is known.
 */
export async function examineChat(
  config: ChatSettings & ApproverConfig,
  idOf: (channel: Channel) => Promise<string | null> = async () => null,
): Promise<Finding[]> {
  const findings = findAgreements(config);
  const { approvers, quorums } = config;
  const voters = Object.values(quorums).flatMap((rule) => rule?.of ?? []);
  const examined = [...new Set([...approvers, ...voters.filter(namesGroup)])];
  const asking = { approvers: examined, mentioned: everMentioned(config) };
  for (const connection of connectionsOf(config)) {
    const { name, channel } = connection;
    findings.push(...(await connection.examine(asking, await idOf({ platform: name, channel }))));
  }
  return findings;
}

/** The finding of `cos doctor` about the queue; a Redis is probed. */
export async function examineQueue({ redisUrl }: Pick<Config, "redisUrl">): Promise<Finding> {
  const name = "queue";
  if (redisUrl === null) return { name, ok: true, says: "BullMQ on PostgreSQL" };
  const trouble = await probeRedis(redisUrl);
  if (trouble === null) {
    const policy = await evictionOf(redisUrl);
    return { name, ok: policy === null, says: `BullMQ on Redis (REDIS_URL)${evictionWords(policy)}` };
  }
  const place: ServerAddress = { name: "Redis", setting: "REDIS_URL", where: whereOf(redisUrl, 6379) };
  return { name, ok: false, says: `${troubleWords(trouble, place)}. ${troubleAdvice(trouble, place)}` };
}

type ApproverConfig = Pick<Config, "approvers" | "quorums" | "mirrors" | "people" | "duties" | "second">;

/** Findings about where questions are shown and who has to agree, if settings say so. Impossible settings are refused at the start. */
function findAgreements(config: ChatSettings & ApproverConfig): Finding[] {
  const platforms = connectionsOf(config).map(({ name }) => name);
  const said = [
    { name: "questions are shown", says: mirrorsWords(config.mirrors) },
    { name: "agreement", says: quorumWords(config.quorums, { ...config, platforms }) },
  ];
  return said.flatMap(({ name, says }) => (says === null ? [] : [{ name, ok: true, says }]));
}
