import { existsSync, realpathSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { leadsOut } from "../core/files/path.ts";
import { dirtyFiles, type Inspection, inspectRepository } from "../agent/git/repository.ts";
import { sentence } from "../core/cards/card.ts";
import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { readLocation } from "../core/remotes/location.ts";
import { shellWord } from "../core/text/shell-word.ts";
import { count } from "../core/text.ts";
import type { Db } from "../db/connection/client.ts";
import {
  findRepository,
  insertRepository,
  listRepositories,
  type Repository,
  repositoryAt,
  updateRepository,
} from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { copyDirOf } from "../paths.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { name } from "./fields.ts";
import { changeSettings, namesSettings } from "./repo-edit.ts";
import { inspectElsewhere } from "./repo-elsewhere.ts";
import { lackLines } from "./repo-lacks.ts";
import { isGone, newFolderWords, moveRepository } from "./repo-moved.ts";
import { nextLines } from "./repo-proposed.ts";
import {
  commandsProblem,
  orNone,
  nameProblem,
  pushProblem,
  settingFields,
  settingLines,
  settingsProblem,
  type SettingsGiven,
  withoutEmpty,
  withPlacedAgent,
} from "./repo-settings.ts";

export const repoAdd = command({
  name: "repo add",
  summary:
    "Make a git repository known, by its path or URL; goals work on a mirror of it, never in your checkout. One that is known keeps what is not named.",
  access: "change",
  positionals: { path: name() },
  options: settingFields,
  run: async (deps, caller, given) => {
    const placed = withPlacedAgent(given, caller.via, "repo add");
    return placed.type === "refused" ? placed : await add(deps, caller, placed.given);
  },
});

export const repoList = command({
  name: "repo list",
  summary: "The known repositories.",
  access: "read",
  run: list,
});

async function add(
  deps: Deps,
  caller: Caller,
  given: SettingsGiven & { readonly path: string },
): Promise<CommandResult> {
  const { base, agent = null } = given;
  const { db } = deps.database;
  const checkNetwork = withoutEmpty(given["check-network"]);
  const labels = withoutEmpty(given.label);
  const wrong =
    settingsProblem({ agent, checkNetwork, labels }, "repo add") ??
    (await commandsProblem({ setup: given.setup, checks: given.check }));
  if (wrong !== null) return wrong;
  const named = readLocation(given.path);
  const location = existsSync(given.path) ? ({ type: "path", path: given.path } as const) : named;
  if (location.type === "wrong") return refused(location.problem, location.next);
  const here = location.type === "path" ? await inspectHere(location.path, base, given["deploy-key"]) : null;
  if (here?.type === "refused") return here;
  const path = here?.root ?? (location.type === "url" ? location.url : "");
  const before = await repositoryAt(db, path);
  const below = here === null ? "" : folderIn(here.root, given.path);
  if (before?.removedAt === null && below !== "" && given.name !== undefined && given.name !== before.name)
    return refused(
      `${below} is a folder of ${before.name}, which is known already: goals work on all of a repository`,
      `narrow a goal: cos goal add TEXT --repo ${before.name} --allow ${shellWord(`${below}/**`)}`,
    );
  if (before?.removedAt === null) return await addAgain(deps, caller, given, before);
  const usual = location.type === "url" ? location.name : basename(path).replace(/\.git$/, "");
  // A repository that was removed gets its earlier name again, which its goals use.
  const name = given.name ?? before?.name ?? usual;
  const problem = nameProblem(name) ?? (await pushProblem(here?.root ?? null, given.push));
  if (problem !== null) return problem;
  const other = await findRepository(db, name);
  if (other !== null && here !== null && isGone(other, given.name)) {
    const moved = await moveRepository(deps, caller, other, path);
    const settings = { ...given, name: undefined };
    if (moved.type !== "done" || !namesSettings(settings)) return moved;
    const words = newFolderWords({ name: other.name, was: other.location, path });
    return await changeSettings(deps, caller, { ...settings, repo: other.repositoryId, moved: words });
  }
  if (other !== null && other.location !== path)
    return refused(`another repository is called ${name}`, "name it with --name N");

  const freshId = deps.newId("repo");
  const asked = { repositoryId: before?.repositoryId ?? freshId, name, base, deployKey: given["deploy-key"], before };
  const inspected = here ?? (location.type === "url" ? await inspectElsewhere(deps, { ...asked, location }) : null);
  if (inspected === null) throw new Error("a location is a path or a URL");
  if (inspected.type === "refused") return inspected;
  const deployKey = "deployKey" in inspected ? inspected.deployKey : null;

  const settings = {
    name,
    baseBranch: inspected.baseBranch,
    setup: orNone(given.setup ?? inspected.proposals.setup),
    checks: withoutEmpty(given.check.length > 0 ? given.check : inspected.proposals.checks),
    pushRemote: orNone(given.push ?? null),
    deployKey,
    agent,
    trials: given.trials !== "off",
    checkNetwork,
    labels,
    billing: given.billing ?? "metered",
  };
  const repositoryId = await deps.database.transaction((tx) =>
    makeKnown(tx, deps, caller, { freshId, before, path, settings }),
  );
  const uncommitted = here === null ? [] : await uncommittedLines(path, settings.baseBranch);
  const copy = here?.root ?? copyDirOf(deps.config.dataDir, repositoryId);
  const lacks = await lackLines(copy, settings.baseBranch, here === null);
  const lines = [
    ...settingLines(settings),
    ...folderLines(name, below),
    ...uncommitted,
    ...lacks,
    ...(await nextLines(settings, inspected.proposals)),
  ];
  return done({ repositoryId, path, ...settings }, confirmationCard(`Added ${name}`, lines));
}

/** Returns the folder of a repository that a path leads to, in git's notation; empty for the repository's root. */
function folderIn(root: string, path: string): string {
  const found = relative(root, realpathSync(path));
  return leadsOut(found) ? "" : found.split(sep).join("/");
}

function folderLines(name: string, below: string): string[] {
  if (below === "") return [];
  return [
    `${below} is a folder of it: goals work on all of the repository. To narrow one: cos goal add TEXT --repo ${name} --allow ${shellWord(`${below}/**`)}`,
  ];
}

/** Handles adding a known repository: omitted settings stay as they are. */
async function addAgain(deps: Deps, caller: Caller, given: SettingsGiven, known: Repository): Promise<CommandResult> {
  if (namesSettings(given)) return await changeSettings(deps, caller, { ...given, repo: known.repositoryId });
  const { location: path, ...settings } = known;
  const line = `${known.name} is known already; nothing is changed. cos repo edit ${known.name} changes its settings.`;
  return done({ path, ...settings }, confirmationCard(line, settingLines(known)));
}

async function inspectHere(
  path: string,
  base: string | undefined,
  deployKey: string | undefined,
): Promise<Extract<Inspection, { type: "ok" }> | RefusedCall> {
  if (deployKey !== undefined)
    return refused("a deploy key is for a repository elsewhere", "give its URL instead of PATH");
  const inspected = await inspectRepository(path, base === undefined ? {} : { baseBranch: base });
  return inspected.type === "ok" ? inspected : refused(inspected.reason, inspected.next);
}

interface New {
  /** The id of a new repository; the copy and key of a remote one are already stored under it. */
  readonly freshId: string;
  /** The row of a repository that was removed; it is restored with its history. */
  readonly before: Repository | null;
  readonly path: string;
  readonly settings: Omit<Repository, "repositoryId" | "location" | "addedBy" | "createdAt" | "removedAt">;
}

async function makeKnown(
  tx: Db,
  deps: Deps,
  { actor, via }: Caller,
  { freshId, before, path, settings }: New,
): Promise<string> {
  const at = deps.now();
  const repositoryId = before?.repositoryId ?? freshId;
  const row = { repositoryId, location: path, ...settings, addedBy: actor, createdAt: at, removedAt: null };
  if (before === null && !(await insertRepository(tx, row)))
    throw new Error(`${settings.name} was added by somebody else just now: cos repo list`);
  if (before !== null) await updateRepository(tx, repositoryId, { ...settings, addedBy: actor, removedAt: null });
  const { name } = settings;
  await appendTimeline(tx, { event: "repository.added", actor, via, at, detail: { repositoryId, name } });
  return repositoryId;
}

async function uncommittedLines(path: string, baseBranch: string): Promise<string[]> {
  const dirty = await dirtyFiles(path);
  const are = dirty === 1 ? "is" : "are";
  return dirty === 0
    ? []
    : [
        `${count(dirty, "file")} of your checkout ${are} not committed: goals start from the last commit of ${baseBranch}.`,
      ];
}

function agentOf({ agent }: Pick<Repository, "agent">): string {
  return agent === null ? "" : `, agent ${agent}`;
}

async function list(deps: Deps): Promise<CommandResult> {
  const repositories = await listRepositories(deps.database.db);
  const known = repositories.map((each) => [
    { strong: each.name },
    ` ${each.location} (${each.baseBranch})${agentOf(each)}`,
  ]);
  const isNone = repositories.length === 0;
  const rows = isNone ? [sentence("Make one known: cos repo add PATH")] : known;
  const title = isNone
    ? "No repository is known yet"
    : count(repositories.length, "repository").replace("repositorys", "repositories");
  return done(
    repositories.map(({ location: path, ...each }) => ({ path, ...each })),
    linesCard(title, rows),
  );
}
