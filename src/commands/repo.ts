import { basename } from "node:path";
import { realpath } from "node:fs/promises";
import { parseAgent } from "../agent/acp/parse-agent.ts";
import { dirtyFiles, inspectRepository } from "../agent/git/repository.ts";
import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { count } from "../core/text.ts";
import { withFreshId } from "../db/connection/client.ts";
import { findRepository, insertRepository, listRepositories, updateRepository } from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { commandLine, name, type Values } from "./fields.ts";

const adding = {
  name: name("N", "what it is called here (default: the folder's name)").optional(),
  base: name("BRANCH", "the branch that goals start from (default: the current one)").optional(),
  setup: commandLine("run in every new worktree (proposed from the lock file; '' for none)").optional(),
  check: commandLine("a command that must pass (proposed; '' for none)").array(),
  push: name("REMOTE", "also push goal branches to this remote").optional(),
  agent: name("AGENT", "acp:… or command:…, instead of COS_AGENT").optional(),
};

export const repoAdd = command({
  name: "repo add",
  summary: "Make a git repository known; goals work on a mirror of it, never in your checkout.",
  access: "change",
  positionals: { path: name() },
  options: adding,
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
  given: Values<typeof adding> & { readonly path: string },
): Promise<CommandResult> {
  const { base, agent = null } = given;
  const inspected = await inspectRepository(given.path, base === undefined ? {} : { baseBranch: base });
  if (inspected.type === "refused") return refused(inspected.reason, inspected.next);
  if (agent !== null) {
    const parsed = parseAgent(agent);
    if (parsed.type === "invalid") return refused(parsed.reason, "cos repo add --help");
  }

  const path = await realpath(inspected.root);
  const name = given.name ?? basename(path).replace(/\.git$/, "");
  if (!/^[\w.-]{1,100}$/.test(name))
    return refused(
      `the name ${JSON.stringify(name)} has characters other than letters, digits, . _ -`,
      "name it with --name N",
    );
  const setup = given.setup ?? inspected.proposals.setup;
  const checks = given.check.length > 0 ? given.check : inspected.proposals.checks;
  const settings = {
    baseBranch: inspected.baseBranch,
    setup: setup === null || setup.trim() === "" ? null : setup,
    checks: checks.filter((check) => check.trim() !== ""),
    pushRemote: given.push ?? null,
    agent,
  };

  const { db } = deps.database;
  const known = await findRepository(db, path);
  const isTaken = (await findRepository(db, name)) !== null;
  if (known !== null) {
    const newName = given.name ?? known.name;
    if (newName !== known.name && isTaken)
      return refused(`another repository is called ${newName}`, "name it with --name N");
    await updateRepository(db, known.repositoryId, { ...settings, name: newName });
    const renamed = newName === known.name ? "" : ` It was called ${known.name}.`;
    return done(
      { repositoryId: known.repositoryId, name: newName, path, ...settings },
      confirmationCard(`${newName} is known already; its settings are updated.${renamed}`, lines(settings)),
    );
  }
  if (isTaken) return refused(`another repository is called ${name}`, "name it with --name N");
  const repositoryId = await deps.database.transaction(async (tx) => {
    const id = await withFreshId(
      () => deps.newId("repo"),
      (repositoryId) => insertRepository(tx, { repositoryId, name, path, ...settings, createdAt: deps.now() }),
    );
    await appendTimeline(tx, {
      event: "repository.added",
      actor: caller.actor,
      via: caller.via,
      at: deps.now(),
      detail: { repositoryId: id, name },
    });
    return id;
  });
  const dirty = await dirtyFiles(path);
  const more =
    dirty === 0
      ? []
      : [
          `${count(dirty, "file")} of your checkout ${dirty === 1 ? "is" : "are"} not committed: goals start from the last commit of ${settings.baseBranch}.`,
        ];
  return done(
    { repositoryId, name, path, ...settings },
    confirmationCard(`Added ${name}`, [...lines(settings), ...more]),
  );
}

function lines(settings: { baseBranch: string; setup: string | null; checks: readonly string[] }): string[] {
  const checks = settings.checks.length === 0 ? "none" : settings.checks.join(", ");
  return [`Goals start from ${settings.baseBranch}.`, `Setup: ${settings.setup ?? "none"}. Checks: ${checks}.`];
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
