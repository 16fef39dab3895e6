import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";

/** Candidates for an id that was mistyped. */
interface NearIds {
  readonly open: readonly string[];
  /** Ids of ended rows that begin with the same four digits. */
  readonly others: readonly string[];
}

/** Maximum number of ids of each kind. */
const most = 1000;

const kinds: Readonly<Record<string, { readonly table: SQL; readonly id: SQL; readonly isOpen: SQL }>> = {
  goal: {
    table: sql`cos.goals`,
    id: sql`goal_id`,
    isOpen: sql`status in ('pending', 'in_progress', 'blocked')`,
  },
  cp: { table: sql`cos.checkpoints`, id: sql`checkpoint_id`, isOpen: sql`status = 'pending'` },
  camp: { table: sql`cos.campaigns`, id: sql`campaign_id`, isOpen: sql`state in ('planning', 'active', 'paused')` },
  session: { table: sql`cos.sessions`, id: sql`session_id`, isOpen: sql`status <> 'ended'` },
};

/** Candidates for an id in our format (`goal-1a2b3c4d`, also with a digit too many or too few). Empty for another kind of id. */
export async function idsNear(db: Db, typed: string): Promise<NearIds> {
  const [, name = "", digits = ""] = /^([a-z]{2,7})-([0-9a-z]{4,12})$/.exec(typed) ?? [];
  const kind = kinds[name];
  if (kind === undefined) return { open: [], others: [] };
  const { table, id, isOpen } = kind;
  // Range of an index: ids with these first four digits. The digits are hexadecimal, so `g` is after all of them.
  const from = `${name}-${digits.slice(0, 4)}`;
  const { rows } = await db.execute<{ id: string; is_open: boolean }>(sql`
    (select ${id} as id, true as is_open from ${table} where ${isOpen} limit ${most})
    union all
    (select ${id}, false from ${table} where ${id} >= ${from} and ${id} < ${`${from}g`} limit ${most})`);
  const of = (wanted: boolean): string[] => rows.filter(({ is_open: isIt }) => isIt === wanted).map((row) => row.id);
  return { open: of(true), others: of(false) };
}
