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

/** Adds a fact. The same kind of the same turn is added once: safe twice. */
export async function insertEvidence(tx: Db, row: typeof evidence.$inferInsert): Promise<void> {
  await keepOrWrite(tx, { table: evidence, values: row }, inserting);
}

const inserting = (at: Db, row: typeof evidence.$inferInsert) => at.insert(evidence).values(row).onConflictDoNothing();

/** What a run has taken of its agent: its executions, and how long they worked together. */
export async function flatUseOf(db: Db, runId: string): Promise<FlatUse> {
  const found = await db
    .select({ turns: count(), workedMs: sum(evidence.durationMs) })
    .from(evidence)
    .where(and(eq(evidence.runId, runId), eq(evidence.kind, "execution")));
  return { turns: found[0]?.turns ?? 0, workedMs: Number(found[0]?.workedMs ?? 0) };
}

/** What the agent of a run said last, as its newest execution kept it; empty where that heard nothing. */
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

/** How one row is backed. Rows from before an execution's end was looked at claim whatever it came to. */
export function backedAs({ kind, tag, detail }: Pick<Evidence, "kind" | "tag" | "detail">): EvidenceTag {
  const { end } = detail;
  return kind === "execution" && typeof end === "string" && end !== "finished" ? "not checked" : tag;
}

/**
 * What was verified of a commit in a run, with the frozen contract: not to be run again. What was not run for want of a setup is
 * not among it, nor what did not pass before the last execution: whoever was told of it may have changed nothing because nothing is wrong
 * (F-205).
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

/** Of the criterion as it was when it was run; null for a person's word, which binds to no command. */
export function criterionHashIn(row: Evidence): string | null {
  const { hash } = row.detail;
  return typeof hash === "string" ? hash : null;
}

/**
 * In which circumstances a criterion was run: with the proof files of the base, as committed, or at the base, once and
 * once more.
 */
export type Variant = "" | "@committed" | "@base" | "@base-again";

/** A row of a criterion or check as its result; null for other rows and for other circumstances. */
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

/** The evidence of each of these goals, oldest first; those without any are missing. */
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

/** One piece of evidence, null where there is none. */
export async function getEvidence(db: Db, evidenceId: number): Promise<Evidence | null> {
  const found = await db.select().from(evidence).where(eq(evidence.evidenceId, evidenceId));
  return found[0] ?? null;
}
