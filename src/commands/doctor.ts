import { tryGit } from "../agent/git/git.ts";
import { isOpenToOthers } from "../agent/process/exposure.ts";
import { isFollowedHere } from "../agent/process/followed-child.ts";
import { examineAgent } from "../agent/acp/examine.ts";
import { findDataDir, findHome, findKept, findSettings, findTemporary, findUnpacked } from "./find-settings.ts";
import { findConsole, findDatabase, findLocks, findModel } from "./find-servers.ts";
import { findForges } from "./find-forges.ts";
import { findSpace } from "./find-space.ts";
import { findChangedOutput, findStore } from "./find-store.ts";
import { findTracing } from "./find-tracing.ts";
import { findAgents, findRepositories } from "./find-repositories.ts";
import { findWorkers } from "./find-workers.ts";
import { isolationOfAgents, secretsSeenByAgents, whatIsolates } from "../agent/place/isolation.ts";
import { canSeeProcesses } from "../agent/process/processes.ts";
import { ownUser } from "../agent/process/users.ts";
import { allowsUnknownCallers } from "../config.ts";
import { settingsFile, typed } from "../installed.ts";
import { exposureWords } from "../core/cards/caller-words.ts";
import { sentence } from "../core/cards/card.ts";
import { formatTime } from "../core/time.ts";
import { linesCard } from "../core/cards/lists.ts";
import { errorWords } from "../core/errors.ts";
import { notIsolatedSentence } from "../core/isolation/isolation.ts";
import type { Finding } from "../core/reports/finding.ts";
import { count } from "../core/text.ts";
import { isAway } from "../db/connection/failures.ts";
import { leftChannels } from "../db/channels.ts";
import { undeliverableMessages } from "../db/messages.ts";
import type { Deps } from "../deps.ts";
import { command, type CommandResult, done } from "./command.ts";

export const doctor = command({
  name: "doctor",
  summary: "What is configured, reachable and missing, one line each.",
  access: "read",
  run: examine,
});

async function examine(deps: Deps): Promise<CommandResult> {
  try {
    // Reading locked rows would wait for the lock.
    const locks = await findLocks(deps);
    if (locks.length > 0)
      return await report(deps, {
        database: locks,
        agents: [await findAgent(deps)],
        workers: [],
        repositories: [],
        cards: [],
      });
    const ofRows = {
      agents: await findAgents(deps),
      database: await findDatabase(deps),
      workers: [await findWorkers(deps)],
      repositories: [
        ...(await findRepositories(deps)),
        ...(await findForges(deps)),
        ...(await findStore(deps)),
        ...(await findChangedOutput(deps)),
      ],
    };
    return await report(deps, {
      ...ofRows,
      cards: [await findUndeliverable(deps), ...(await findLeftChannels(deps))],
    });
  } catch (error) {
    if (!isAway(error)) throw error;
    return await examineWithout(deps, errorWords(error));
  }
}

/** Like the doctor's report, when the database cannot be opened: what can be examined without it, and the reason. */
export async function examineWithout(deps: DoctorDeps, reason: string): Promise<CommandResult> {
  return await report(deps, {
    database: [{ name: "database", ok: false, says: reason }],
    agents: [await findAgent(deps)],
    workers: [],
    repositories: [],
    cards: [],
  });
}

/** Examines the agent of COS_AGENT, when the repositories' own agents are not known. */
async function findAgent({ config }: DoctorDeps): Promise<Finding> {
  return await examineAgent({ ...config, startMs: config.policy.goals.startMs });
}

type DoctorDeps = Pick<Deps, "config" | "examineChat" | "examineQueue" | "space">;

/** Findings that need the database's rows. */
interface OfRows {
  readonly database: readonly Finding[];
  /** The agent of COS_AGENT, and the agents that repositories have in its place. */
  readonly agents: readonly Finding[];
  readonly workers: readonly Finding[];
  readonly repositories: readonly Finding[];
  readonly cards: readonly Finding[];
}

async function report(
  deps: DoctorDeps,
  { database, agents, workers, repositories, cards }: OfRows,
): Promise<CommandResult> {
  const findings: Finding[] = [
    { name: "node", ok: true, says: process.version },
    await findGit(),
    ...database,
    await deps.examineQueue(),
    ...agents,
    await findModel(deps.config),
    ...workers,
    ...repositories,
    ...(await findTracing(deps.config)),
    ...(await findSpace(deps)),
    findDataDir(deps.config.dataDir),
    ...findUnpacked(deps.config.dataDir),
    findTemporary(),
    findHome(),
    await findKept(deps.config.dataDir),
    ...findSettings(deps.config),
    { name: "time zone", ok: true, says: deps.config.timezone },
    ...(await findConsole(deps.config)),
    ...(await findIsolation(deps)),
    await findFollowing(deps),
    ...findCallers(deps),
    await findSecrets(deps),
    ...(await deps.examineChat()),
    ...cards,
  ];
  const bad = findings.filter((finding) => !finding.ok);
  const title = bad.length === 0 ? "Everything that is configured works" : `${count(bad.length, "thing")} to look at`;
  const card = linesCard(
    title,
    findings.map((finding) => [signOf(finding), { strong: finding.name }, ...sentence(`: ${finding.says}`)]),
  );
  return done(findings, card);
}

/** A tick is only for what was examined and is right. */
function signOf({ ok, isUnset }: Finding): string {
  if (!ok) return "✗ ";
  return isUnset === true ? "– " : "✓ ";
}

async function findGit(): Promise<Finding> {
  const result = await tryGit(["--version"], { cwd: process.cwd(), configuration: "ours" });
  if (result.type !== "ok") return { name: "git", ok: false, says: "not found: install git" };
  const [, major = "0", minor = "0"] = /\b(\d+)\.(\d+)/.exec(result.stdout) ?? [];
  const isNew = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
  const says = isNew ? result.stdout.trim() : `${result.stdout.trim()}: 2.38 or newer is needed to merge`;
  return { name: "git", ok: isNew, says };
}

/** Examines how verification and agents are isolated, with a self-test (D39). */
async function findIsolation({ config }: DoctorDeps): Promise<Finding[]> {
  const isolating = await whatIsolates(config.isolation);
  const { isolation } = isolating;
  const ofAgents = isolationOfAgents(isolating, { hosts: config.agentHosts });
  const shown = "isolated, as was just tried: nothing is written outside, no process and no port of ours is reached";
  return [["isolation of verification", isolation] as const, ["isolation of agents", ofAgents] as const].map(
    ([name, each]) => {
      const missing = notIsolatedSentence(each);
      return { name, ok: missing === null, says: missing ?? shown };
    },
  );
}

/** Examines whether a goal's processes can be told apart from a person's; that is not isolation, and the words say so (D39, D45). */
async function findFollowing({ config }: DoctorDeps): Promise<Finding> {
  const name = "isolation";
  if (!canSeeProcesses()) {
    const says =
      "not isolated, and callers cannot be distinguished: whoever has the console's token, or runs cos, is you";
    return { name, ok: false, says };
  }
  if (!(await isFollowedHere())) {
    const says =
      "not isolated, and goals' processes cannot be distinguished from others: install perl. Until then only a terminal, and what was started from where the bot was, may change something";
    return { name, ok: false, says };
  }
  const isolating = await whatIsolates(config.isolation);
  const { tools } = isolating;
  const ofAgents = isolationOfAgents(isolating, { hosts: config.agentHosts });
  if (tools !== null) {
    const open = ofAgents.shown.includes("network")
      ? ""
      : "; its network is the machine's, so the console tells them by their ancestors";
    return { name, ok: true, says: `agents' processes see and reach none but their own, and end with the goal${open}` };
  }
  const says = `not isolated: agents run as the worker's user and read what it can read (${ownUser()} here). Their processes are followed and cannot decide, unless they can become root (sudo); what cron, at, systemd, tmux or sshd starts for them cannot be distinguished from yours at the console, nor in a terminal that it opens`;
  return { name, ok: true, says };
}

function findCallers({ config }: DoctorDeps): Finding[] {
  if (!config.allowsUnknown && !allowsUnknownCallers()) return [];
  const says = "COS_UNKNOWN_CALLERS=allow: local processes that cannot be distinguished from agents count as you";
  return [{ name: "callers", ok: true, says }];
}

/** Examines where agents could read our secrets, as far as that can be seen. */
async function findSecrets({ config }: DoctorDeps): Promise<Finding> {
  const name = "secrets";
  const [first, ...more] = await secretsSeenByAgents(config.isolation, config.secrets);
  if (first !== undefined) return { name, ok: false, says: exposureWords(first, more.length) };
  if (isOpenToOthers(settingsFile)) {
    return { name, ok: false, says: `${settingsFile} can be read by other users: chmod 600 ${settingsFile}` };
  }
  return { name, ok: true, says: "in no process's environment that agents can see" };
}

/** How long a channel that was left is reported. */
const toldOfLeftMs = 7 * 24 * 60 * 60_000;

/** Examines channels that settings no longer name: whether their open questions can be seen elsewhere (F-403). */
async function findLeftChannels(deps: Deps): Promise<Finding[]> {
  const since = new Date(deps.now().getTime() - toldOfLeftMs);
  const left = await leftChannels(deps.database.db, since);
  return left.map(({ platform, channel, leftAt, asking }) => {
    const name = `${platform} channel ${channel}`;
    const when = `left ${formatTime(leftAt, deps.config.timezone)}`;
    if (asking === 0) return { name, ok: true, says: `${when}: what was open there is said in the new channel` };
    return {
      name,
      ok: false,
      says: `${when}: ${asking} open cards there say nothing of the new channel yet (${typed.start})`,
    };
  });
}

async function findUndeliverable(deps: Deps): Promise<Finding> {
  const stuck = await undeliverableMessages(deps.database.db);
  const [first] = stuck;
  if (first === undefined) return { name: "cards", ok: true, says: "all delivered or on their way" };
  return {
    name: "cards",
    ok: false,
    says: `${stuck.length} undeliverable, for example ${first.subject} on ${first.platform}: ${first.undeliverable}`,
  };
}
