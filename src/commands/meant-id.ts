import { nearest } from "../core/text/nearest.ts";
import { idsNear } from "../db/near-ids.ts";
import type { Deps } from "../deps.ts";
import type { CommandResult, RefusedCall } from "./command.ts";

/** The same with the id that was probably meant, where it was refused because nothing has the one that was typed. */
export async function withMeantId<Value>(
  { database }: Pick<Deps, "database">,
  result: CommandResult<Value>,
): Promise<CommandResult<Value>> {
  if (result.type !== "refused" || result.unknownId === undefined) return result;
  const { unknownId, ...told } = result;
  const { open, others } = await idsNear(database.db, unknownId);
  const meant = onlyNear(unknownId, open) ?? onlyNear(unknownId, others);
  return meant === null ? told : ({ ...told, reason: `${told.reason}; did you mean ${meant}?` } satisfies RefusedCall);
}

/** The one that is a letter away, or else two; null: none is, or several are. */
function onlyNear(typed: string, known: readonly string[]): string | null {
  for (const most of [1, 2]) {
    const near = known.filter((id) => nearest(typed, [id], most) !== null);
    if (near.length > 0) return near.length === 1 ? (near[0] ?? null) : null;
  }
  return null;
}
