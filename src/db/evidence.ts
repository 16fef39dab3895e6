import { and, asc, count, desc, eq, inArray, or, sum } from "drizzle-orm";
import { z } from "zod";
import type { FlatUse } from "../core/agents/flat.ts";
import type { CriterionResult } from "../core/acceptance/results.ts";
import type { EvidenceTag } from "../core/acceptance/tag.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { keepOrWrite } from "./connection/later.ts";
import { evidence } from "./schema/index.ts";

export type Evidence = typeof evidence.$inferSelect;
export type EvidenceByGoal = ReadonlyMap<string, readonly Evidence[]>;

/** Adds evidence. The same kind of the same turn is added once: idempotent. */
export async function insertEvidence(tx: Db, row: typeof evidence.$inferInsert): Promise<void> {
  await keepOrWrite(tx, { table: evidence, values: row }, inserting);
}

const inserting = (at: Db, row: typeof evidence.$inferInsert) => at.insert(evidence).values(row).onConflictDoNothing();

/** What a run used of its agent: the number of executions and the sum of their durations. */
export async function flatUseOf(db: Db, runId: string): Promise<FlatUse> {
  const found = await db
    .select({ turns: count(), workedMs: sum(evidence.durationMs) })
    .from(evidence)
    .where(and(eq(evidence.runId, runId), eq(evidence.kind, "execution")));
  return { turns: found[0]?.turns ?? 0, workedMs: Number(found[0]?.workedMs ?? 0) };
}

/** What the agent of a run said last, from its newest execution. Empty when that execution recorded nothing. */
export async function lastSaid(db: Db, runId: string): Promise<string> {
  const found = await db
    .select({ detail: evidence.detail })
    .from(evidence)
    .where(and(eq(evidence.runId, runId), eq(evidence.kind, "execution")))
    .orderBy(desc(evidence.evidenceId))
    .limit(1);
  const said = found[0]?.detail["said"];
  return typeof said === "string" ? said : "";
}

/**
 * The tag of one row. An execution that did not finish is "not checked". Older rows, which did not record how an execution ended, keep
 * their tag.
 */
export function backedAs({ kind, tag, detail }: Pick<Evidence, "kind" | "tag" | "detail">): EvidenceTag {
  const { end } = detail;
  return kind === "execution" && typeof end === "string" && end !== "finished" ? "not checked" : tag;
}

/**
 * Results for a commit in a run that need not be run again, with the hash of each criterion. Left out: criteria that did not run
 * because their setup failed, and criteria that did not pass before the last execution. Whoever was told of such a failure may have
 * changed nothing because nothing is wrong (F-205).
 */
export async function resultsAt(
  db: Db,
  runId: string,
  commit: string,
): Promise<{ readonly result: CriterionResult; readonly hash: string | null }[]> {
  const rows = await db
    .select()
    .from(evidence)
    .where(
      and(
        eq(evidence.runId, runId),
        or(
          eq(evidence.kind, "execution"),
          and(eq(evidence.commit, commit), inArray(evidence.kind, ["criterion", "check"])),
        ),
      ),
    )
    .orderBy(asc(evidence.evidenceId));
  const executed = rows.findLastIndex(({ kind }) => kind === "execution");
  return rows.flatMap((row, index) => {
    const result = row.kind === "execution" ? null : resultOf(row);
    if (result === null || result.brokenSetup === true) return [];
    return index < executed && result.status !== "pass" ? [] : [{ result, hash: criterionHashIn(row) }];
  });
}

/** Hash of the criterion as it was when it ran. Null for a person's confirmation, which belongs to no command. */
export function criterionHashIn(row: Evidence): string | null {
  const { hash } = row.detail;
  return typeof hash === "string" ? hash : null;
}

/** The circumstances in which a criterion ran: with the base's proof files, as committed, at the base, or at the base a second time. */
export type Variant = "" | "@committed" | "@base" | "@base-again";

/** The row of a criterion or check as its result. Null for other rows, and for another variant. */
export function resultOf(row: Evidence, variant: Variant = ""): CriterionResult | null {
  if (row.criterion === null) return null;
  const parsed = detailSchema.safeParse(row.detail);
  if (!parsed.success || parsed.data.variant !== variant) return null;
  const { id, slug, status, method, details, brokenSetup, unjudged } = parsed.data;
  const { outputFile: file, sha256, outputBytes: bytes } = row;
  const output = file === null || sha256 === null || bytes === null ? null : { file, sha256, bytes };
  const { command: by, durationMs, exitCode } = row;
  return { id, slug, status, method, details, by, exitCode, durationMs, output, brokenSetup, unjudged };
}

const detailSchema = z.object({
  id: z.string(),
  slug: z.string(),
  status: z.enum(["pass", "fail", "requires-human", "not-checked"]),
  method: z.enum(["bash", "subagent", "manual", "ci", "unknown"]),
  details: z.array(z.string()),
  variant: z.string(),
  brokenSetup: z.boolean().default(false),
  unjudged: z.boolean().default(false),
});

/** A goal's evidence, oldest first. */
export async function listEvidence(db: Db, goalId: string): Promise<Evidence[]> {
  return await byGoal(db, { goalId });
}

const byGoal = builtOnce<{ goalId: string }, Evidence[]>((db, place) =>
  db
    .select()
    .from(evidence)
    .where(eq(evidence.goalId, place("goalId")))
    .orderBy(asc(evidence.evidenceId)),
);

/** The evidence of each of these goals, oldest first. Goals without evidence are missing. */
export async function evidenceOf(db: Db, goalIds: readonly string[]): Promise<EvidenceByGoal> {
  const byGoal = new Map<string, Evidence[]>();
  if (goalIds.length === 0) return byGoal;
  const rows = await db
    .select()
    .from(evidence)
    .where(isAnyOf(evidence.goalId, goalIds))
    .orderBy(asc(evidence.evidenceId));
  for (const row of rows) {
    const mine = byGoal.get(row.goalId);
    if (mine === undefined) byGoal.set(row.goalId, [row]);
    else mine.push(row);
  }
  return byGoal;
}

/** One piece of evidence, or null when there is none. */
export async function getEvidence(db: Db, evidenceId: number): Promise<Evidence | null> {
  const found = await db.select().from(evidence).where(eq(evidence.evidenceId, evidenceId));
  return found[0] ?? null;
}
