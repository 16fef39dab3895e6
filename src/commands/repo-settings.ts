import { parseAgent } from "../agent/acp/parse-agent.ts";
import { placedAgent } from "../agent/acp/placed.ts";
import { remoteProblem } from "../agent/git/repository.ts";
import { wrongLabels } from "../core/labels.ts";
import { parseReach } from "../core/isolation/network.ts";
import type { Repository } from "../db/repositories.ts";
import { correctIt, whyUnreadable } from "../turns/shared/readable.ts";
import { type Caller, misused, refused, type RefusedCall } from "./command.ts";
import { choice, commandLine, localFile, name, type Values } from "./fields.ts";

/**
 * Returns the settings of a repository as fields. When it is added, the descriptions name the defaults; when it is changed, omitted
 * settings stay as they are.
 */
function fieldsWhere(is: "added" | "changed") {
  const usual = (words: string): string => (is === "added" ? ` (${words})` : "");
  const none = (words: string): string => (is === "added" ? ` (${words}; '' for none)` : " ('' for none)");
  const check = is === "added" ? "a command that must pass" : "a command that must pass; it replaces all present ones";
  return {
    name: name("N", `what it is called here${usual("default: the folder's name")}`).optional(),
    base: name("BRANCH", `the branch that goals start from${usual("default: the current one")}`).optional(),
    setup: commandLine(`run in every new worktree${none("proposed from the lock file")}`).optional(),
    check: commandLine(`${check}${none("proposed")}`).array(),
    push: name("REMOTE", "also push goal branches to this remote").optional(),
    "deploy-key": localFile(
      "FILE",
      "for a URL: a private key for ssh that only this repository takes; it is copied ('' for none); or --key",
      "key",
    ).optional(),
    "check-network": name(
      "HOST:PORT",
      "what checks may reach beside themselves: by name, or all ('' for nothing)",
    ).array(),
    label: name("L", "only workers that have it work its goals (COS_LABELS; '' for none)").array(),
    trials: choice("on|off", ["on", "off"], `whether what passes is put on trial${usual("default: on")}`).optional(),
    agent: name("AGENT", "acp:… or command:…, instead of COS_AGENT").optional(),
    billing: choice(
      "metered|flat",
      ["metered", "flat"],
      `how its agent is paid: by use${usual("default")}, or a subscription: ceilings in minutes and turns`,
    ).optional(),
  };
}

export const settingFields = fieldsWhere("added");
export const changedFields = fieldsWhere("changed");

export type SettingsGiven = Values<typeof settingFields>;

/** Returns why a repository cannot have this name; null when it can. */
export function nameProblem(name: string): RefusedCall | null {
  if (/^[\w.-]{1,100}$/.test(name)) return null;
  return refused(
    `the name ${JSON.stringify(name)} has characters other than a-z, A-Z, 0-9, . _ -`,
    "name it with --name N",
  );
}

/** The commands that take a repository's settings. */
type SettingCommand = "repo add" | "repo edit";

/**
 * Returns the settings with the absolute path of the agent's program. A relative path such as `./agent.sh` is resolved in the terminal's
 * folder; elsewhere the folder is unknown, so it is refused.
 */
export function withPlacedAgent<Given extends { readonly agent?: string | undefined }>(
  given: Given,
  via: Caller["via"],
  command: SettingCommand,
): { readonly type: "placed"; readonly given: Given } | RefusedCall {
  if (given.agent === undefined) return { type: "placed", given };
  const placed = placedAgent(given.agent, via === "terminal" ? process.cwd() : null);
  if (placed.type === "placed") return { type: "placed", given: { ...given, agent: placed.agent } };
  const { program, path } = placed;
  const why =
    path === null ? `${program} is no whole path, and it is not known from which folder` : `${path} is not there`;
  return misused(`the agent's program ${why}: name it by its whole path`, command);
}

/** Returns what is wrong with settings in any repository; null when nothing is. */
export function settingsProblem(
  { agent, checkNetwork, labels }: Pick<Repository, "agent" | "checkNetwork" | "labels">,
  command: SettingCommand,
): RefusedCall | null {
  const [wrong] = wrongLabels(labels);
  if (wrong !== undefined)
    return misused(`the label ${JSON.stringify(wrong)} has characters other than a-z, A-Z, 0-9, . _ -`, command);
  const reach = parseReach(checkNetwork);
  if (typeof reach === "string") return misused(reach.replace("network:", "--check-network:"), command);
  const parsed = agent === null ? null : parseAgent(agent);
  return parsed?.type === "invalid" ? misused(parsed.reason, command) : null;
}

/** Returns why a repository's commands cannot be run, because no shell can parse one of them; null when all can, or none is named. */
export async function commandsProblem(named: {
  readonly setup?: string | null | undefined;
  readonly checks?: readonly string[];
}): Promise<RefusedCall | null> {
  for (const line of [named.setup ?? "", ...(named.checks ?? [])]) {
    const problem = await whyUnreadable(line);
    if (problem !== null) return refused(problem, correctIt);
  }
  return null;
}

/**
 * Returns why goal branches cannot be pushed to a remote; null when they can, or no push is wanted. `path` is null for a remote
 * repository.
 */
export async function pushProblem(path: string | null, push: string | undefined): Promise<RefusedCall | null> {
  const remote = orNone(push ?? null);
  if (remote === null) return null;
  if (path === null)
    return refused(
      "goal branches of a repository elsewhere are pushed there: --push is for one of this machine",
      "leave --push away",
    );
  const problem = await remoteProblem(path, remote);
  return problem === null ? null : refused(`--push: ${problem.reason}`, problem.next);
}

/** Returns an optional text; null when it is empty. */
export function orNone(given: string | null): string | null {
  return given === null || given.trim() === "" ? null : given;
}

/** Returns the texts that are not empty. */
export function withoutEmpty(commands: readonly string[]): string[] {
  return commands.filter((command) => command.trim() !== "");
}

/** Returns the settings as lines of a card. */
export function settingLines({
  baseBranch,
  setup,
  checks,
  trials,
  checkNetwork,
  labels,
  billing,
  deployKey,
}: Pick<
  Repository,
  "baseBranch" | "setup" | "checks" | "trials" | "checkNetwork" | "labels" | "billing" | "deployKey"
>): string[] {
  return [
    `Goals start from ${baseBranch}.`,
    ...(deployKey === null ? [] : [`It is reached with the deploy key ${deployKey}.`]),
    `Setup: ${setup ?? "none"}. Checks: ${checks.length === 0 ? "none" : checks.join(", ")}.`,
    ...(checkNetwork.length === 0 ? [] : [`Checks may reach ${checkNetwork.join(", ")}.`]),
    ...(labels.length === 0 ? [] : [`Only workers with ${labels.join(", ")} work its goals (COS_LABELS).`]),
    ...(billing === "flat" ? ["Its agent is paid at a flat rate: ceilings in minutes and turns, no dollars."] : []),
    ...(trials ? [] : ["Trials are off: what passes was not seen to be able to fail."]),
  ];
}
