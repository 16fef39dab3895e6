import { basename } from "node:path";
import { dirtyFiles, inspectRepository } from "../agent/git/repository.ts";
import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { count } from "../core/text.ts";
import { type Db, withFreshId } from "../db/connection/client.ts";
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
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { name } from "./fields.ts";
import { orNone, problemIn, settingFields, settingLines, type SettingsGiven, withoutEmpty } from "./repo-settings.ts";

export const repoAdd = command({
  name: "repo add",
  summary: "Make a git repository known; goals work on a mirror of it, never in your checkout.",
  access: "change",
  positionals: { path: name() },
  options: settingFields,
  run: add,
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
  const inspected = await inspectRepository(given.path, base === undefined ? {} : { baseBranch: base });
  if (inspected.type === "refused") return refused(inspected.reason, inspected.next);
  const path = inspected.root;
  const { db } = deps.database;
  const before = await repositoryAt(db, path);
  const name = given.name ?? (before?.removedAt === null ? before.name : basename(path).replace(/\.git$/, ""));
  const checkNetwork = withoutEmpty(given["check-network"]);
  const problem = problemIn({ name, agent, checkNetwork });
  if (problem !== null) return problem;
  const other = await findRepository(db, name);
  if (other !== null && other.path !== path)
    return refused(`another repository is called ${name}`, "name it with --name N");

  const settings = {
    name,
    baseBranch: inspected.baseBranch,
    setup: orNone(given.setup ?? inspected.proposals.setup),
    checks: withoutEmpty(given.check.length > 0 ? given.check : inspected.proposals.checks),
    pushRemote: given.push ?? null,
    agent,
    trials: given.trials !== "off",
    checkNetwork,
    billing: given.billing ?? "metered",
  };
  if (before?.removedAt === null) {
    await updateRepository(db, before.repositoryId, settings);
    const renamed = name === before.name ? "" : ` It was called ${before.name}.`;
    const line = `${name} is known already; its settings are updated.${renamed}`;
    return done(
      { repositoryId: before.repositoryId, path, ...settings },
      confirmationCard(line, settingLines(settings)),
    );
  }
  const repositoryId = await deps.database.transaction((tx) => makeKnown(tx, deps, caller, { before, path, settings }));
  const lines = [...settingLines(settings), ...(await uncommittedLines(path, settings.baseBranch))];
  return done({ repositoryId, path, ...settings }, confirmationCard(`Added ${name}`, lines));
}

interface New {
  /** The row of one that was removed: it is taken back, with what was done in it. */
  readonly before: Repository | null;
  readonly path: string;
  readonly settings: Omit<Repository, "repositoryId" | "path" | "addedBy" | "createdAt" | "removedAt">;
}

async function makeKnown(tx: Db, deps: Deps, { actor, via }: Caller, { before, path, settings }: New): Promise<string> {
  const at = deps.now();
  const insert = (repositoryId: string) =>
    insertRepository(tx, { repositoryId, path, ...settings, addedBy: actor, createdAt: at, removedAt: null });
  const repositoryId = before?.repositoryId ?? (await withFreshId(() => deps.newId("repo"), insert));
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

async function list(deps: Deps): Promise<CommandResult> {
  const repositories = await listRepositories(deps.database.db);
  const rows = repositories.map((each) => [{ strong: each.name }, ` ${each.path} (${each.baseBranch})`]);
  const title =
    repositories.length === 0
      ? "No repository is known yet: cos repo add PATH"
      : count(repositories.length, "repository").replace("repositorys", "repositories");
  return done(repositories, linesCard(title, rows));
}
