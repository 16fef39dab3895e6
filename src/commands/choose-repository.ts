import { findRepository, listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import type { RefusedCall } from "./command.ts";

type Chosen = { readonly type: "chosen"; readonly repository: Repository } | RefusedCall;

/** The named repository, else COS_REPO, else the only one. */
export async function chooseRepository(
  deps: Pick<Deps, "database" | "config">,
  wanted: string | undefined,
): Promise<Chosen> {
  const name = wanted ?? deps.config.repository;
  if (name !== null) {
    const repository = await findRepository(deps.database.db, name);
    if (repository !== null) return { type: "chosen", repository };
    return { type: "refused", reason: `no repository is called ${JSON.stringify(name)}`, next: "cos repo list" };
  }
  const all = await listRepositories(deps.database.db);
  const [only] = all;
  if (only === undefined) return { type: "refused", reason: "no repository is known yet", next: "cos repo add PATH" };
  if (all.length === 1) return { type: "chosen", repository: only };
  const names = all.map((each) => each.name).join(", ");
  return {
    type: "refused",
    reason: `several repositories are known (${names}): name one with --repo`,
    next: "cos repo list",
  };
}
