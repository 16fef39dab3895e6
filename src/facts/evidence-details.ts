import { z } from "zod";
import type { PlanEntry } from "../core/acceptance/plan.ts";
import type { AcceptedProof } from "../core/acceptance/backing.ts";
import type { LeftOutFiles } from "../core/cards/left-out-words.ts";
import type { NotedFile } from "../core/files/noted.ts";
import { reachWords } from "../core/isolation/network.ts";
import type { Evidence } from "../db/evidence.ts";
import type { TriedProof } from "../core/trials/tried.ts";

const acceptedSchema = z.object({ by: z.string(), at: z.coerce.date() });

/** Who accepted the proof of the work that was verified last, and when. Null when nobody did. Written only by `keepAcceptance`. */
export function acceptedIn(rows: readonly Evidence[]): AcceptedProof | null {
  const row = rows.findLast(({ kind }) => kind === "acceptance");
  const newest = rows.findLast(({ kind }) => kind === "criterion" || kind === "check" || kind === "trial");
  if (row === undefined || (newest !== undefined && newest.commit !== row.commit)) return null;
  const parsed = acceptedSchema.safeParse(row.detail);
  return parsed.success ? parsed.data : null;
}

const statSchema = z.object({ files: z.number(), insertions: z.number(), deletions: z.number() });

/** How much the last execution changed. Null when that was not recorded. */
export function statIn(rows: readonly Evidence[]): z.output<typeof statSchema> | null {
  const parsed = statSchema.safeParse(rows.findLast((row) => row.kind === "execution")?.detail["stat"]);
  return parsed.success ? parsed.data : null;
}

const leftOutSchema = z.object({ paths: z.array(z.string()), count: z.number() });

/** Files that the last execution left and git could not add. Null when there are none. */
export function leftOutIn(rows: readonly Evidence[]): LeftOutFiles | null {
  const parsed = leftOutSchema.safeParse(rows.findLast((row) => row.kind === "execution")?.detail["leftOut"]);
  return parsed.success && parsed.data.count > 0 ? parsed.data : null;
}

const notedSchema = z.array(z.object({ path: z.string(), what: z.string() }));

/** The changed files that were last noted beside the criteria. Empty when none were. */
export function notedIn(rows: readonly Evidence[]): readonly NotedFile[] {
  const parsed = notedSchema.safeParse(rows.findLast((row) => row.detail["noted"] !== undefined)?.detail["noted"]);
  return parsed.success ? parsed.data : [];
}

const reachSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("all") }),
  z.object({ type: z.literal("hosts"), hosts: z.array(z.string()) }),
]);

/** What each command could reach, by its newest row: first criteria by id, then checks. Written only by `inCheckout`. */
export function reachedIn(rows: readonly Evidence[]): readonly string[] {
  const isCheck = (row: Evidence): number => Number(row.kind === "check");
  const idOf = ({ detail: { id } }: Evidence): string => (typeof id === "string" ? id : "");
  // Rows that were recorded at the same moment have no order.
  const inOrder = rows.toSorted(
    (one, other) => isCheck(one) - isCheck(other) || idOf(one).localeCompare(idOf(other), "en", { numeric: true }),
  );
  const said = inOrder.flatMap((row) => {
    const reach = reachSchema.safeParse(row.detail["reach"]);
    const name = row.kind === "check" ? row.command : row.detail["id"];
    return reach.success ? [[String(name), `${String(name)}: ${reachWords(reach.data) ?? ""}`] as const] : [];
  });
  return [...new Map(said).values()];
}

/** The newest verdict on each proof, for the commit that was tried last. Written only by `tryProofs`. */
export function trialsIn(rows: readonly Evidence[]): readonly TriedProof[] {
  const all = rows.filter((row) => row.kind === "trial");
  const newest = all.filter((row) => row.commit === all.at(-1)?.commit);
  return [...new Map(newest.map((row) => [row.detail["id"], row.detail as unknown as TriedProof])).values()];
}

const planSchema = z.array(z.object({ text: z.string(), isDone: z.boolean() }));

/** The plan of the newest execution's agent. Empty when it has none. */
export function newestPlan(rows: readonly Evidence[]): readonly PlanEntry[] {
  const newest = rows.findLast((row) => row.kind === "execution");
  const parsed = planSchema.safeParse(newest?.detail["plan"]);
  return parsed.success ? parsed.data : [];
}
