import { meantWords } from "../core/text/nearest.ts";
import { listRepositories } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { refused, type RefusedCall } from "./command.ts";

/** Refuses a name that no repository has, with the one that was probably meant, or how one is made known where none is. */
export async function noRepository({ database }: Pick<Deps, "database">, wanted: string): Promise<RefusedCall> {
  const names = (await listRepositories(database.db)).map(({ name }) => name);
  const reason = `no repository is called ${JSON.stringify(wanted)}${meantWords(wanted, names)}`;
  return refused(reason, names.length === 0 ? "cos repo add PATH" : "cos repo list");
}
