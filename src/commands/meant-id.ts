import { onlyNear } from "../core/text/nearest.ts";
import { idsNear } from "../db/near-ids.ts";
import type { Deps } from "../deps.ts";
import type { CommandResult, RefusedCall } from "./command.ts";

/**
 * Adds to the refusal of an unknown id the id that was probably meant. If the id exists but names something of another kind, such as a
 * question in place of its goal, adds what it is.
 */
export async function withMeantId<Value>(
  { database }: Pick<Deps, "database">,
  result: CommandResult<Value>,
): Promise<CommandResult<Value>> {
  if (result.type !== "refused" || result.unknownId === undefined) return result;
  const { unknownId, ...told } = result;
  const { open, others } = await idsNear(database.db, unknownId);
  const other = [...open, ...others].includes(unknownId) ? ofAnotherKind(unknownId) : null;
  if (other !== null) return { ...told, reason: `${told.reason}; it is ${other.what}`, next: other.next };
  const meant = onlyNear(unknownId, open) ?? onlyNear(unknownId, others);
  return meant === null ? told : ({ ...told, reason: `${told.reason}; did you mean ${meant}?` } satisfies RefusedCall);
}

/** Returns the kind of an existing id that was not of the expected kind, and the command that shows it. */
function ofAnotherKind(id: string): { readonly what: string; readonly next: string } | null {
  switch (id.slice(0, id.indexOf("-"))) {
    case "goal":
      return { what: "a goal", next: `cos goal show ${id}` };
    case "cp":
      return { what: "a question", next: `cos details ${id}` };
    case "camp":
      return { what: "a campaign", next: `cos campaign status ${id}` };
    case "session":
      return { what: "a session", next: `cos details ${id}` };
    default:
      return null;
  }
}
