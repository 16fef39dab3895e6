import { type Deps, sha256 } from "../deps.ts";

/** Whose disk it is: a machine and its data directory, as a hash. */
export function holderOf({ machine, dataDir }: Pick<Deps["config"], "machine" | "dataDir">): string {
  return `${machine} ${sha256(dataDir).slice(0, 12)}`;
}
