import { z } from "zod";
import type { PlanEntry } from "../core/acceptance/plan.ts";
import type { AcceptedProof } from "../core/acceptance/backing.ts";
import type { LeftOutFiles } from "../core/cards/left-out-words.ts";
import type { NotedFile } from "../core/files/noted.ts";
import { reachWords } from "../core/isolation/network.ts";
import type { Evidence } from "../db/evidence.ts";
import type { TriedProof } from "../core/trials/tried.ts";

const acceptedSchema = z.object({ by: z.string(), at: z.coerce.date() });

/** Written by `recordRound` alone; it is about the work as it was verified last. */
export function acceptedIn(rows: readonly Evidence[]): AcceptedProof | null {
  const row = rows.findLast(({ kind }) => kind === "acceptance");
  const newest = rows.findLast(({ kind }) => kind === "criterion" || kind === "check" || kind === "trial");
  if (row === undefined || (newest !== undefined && newest.commit !== row.commit)) return null;
  const parsed = acceptedSchema.safeParse(row.detail);
  return parsed.success ? parsed.data : null;
}

const statSchema = z.object({ files: z.number(), insertions: z.number(), deletions: z.number() });

/** How much the last execution changed, null where none has said. */
export function statIn(rows: readonly Evidence[]): z.output<typeof statSchema> | null {
  const parsed = statSchema.safeParse(rows.findLast((row) => row.kind === "execution")?.detail["stat"]);
  return parsed.success ? parsed.data : null;
}

const leftOutSchema = z.object({ paths: z.array(z.string()), count: z.number() });

/** What the last execution left and git could not add; null where there was nothing. */
export function leftOutIn(rows: readonly Evidence[]): LeftOutFiles | null {
  const parsed = leftOutSchema.safeParse(rows.findLast((row) => row.kind === "execution")?.detail["leftOut"]);
  return parsed.success && parsed.data.count > 0 ? parsed.data : null;
}

const notedSchema = z.array(z.object({ path: z.string(), what: z.string() }));

/** The files that were last noted beside the criteria, none where nothing was. */
export function notedIn(rows: readonly Evidence[]): readonly NotedFile[] {
  const parsed = notedSchema.safeParse(rows.findLast((row) => row.detail["noted"] !== undefined)?.detail["noted"]);
  return parsed.success ? parsed.data : [];
}

const reachSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("all") }),
  z.object({ type: z.literal("hosts"), hosts: z.array(z.string()) }),
]);

/** Of each command the newest word, criteria by their ids and then checks; written by `inCheckout` alone. */
export function reachedIn(rows: readonly Evidence[]): readonly string[] {
  const isCheck = (row: Evidence): number => Number(row.kind === "check");
  const idOf = ({ detail: { id } }: Evidence): string => (typeof id === "string" ? id : "");
  // What was recorded at one moment has no order of its own.
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

/** Of each criterion the newest verdict, about the newest commit that was tried. Written by `tryProofs` alone. */
export function trialsIn(rows: readonly Evidence[]): readonly TriedProof[] {
  const all = rows.filter((row) => row.kind === "trial");
  const newest = all.filter((row) => row.commit === all.at(-1)?.commit);
  return [...new Map(newest.map((row) => [row.detail["id"], row.detail as unknown as TriedProof])).values()];
}

const planSchema = z.array(z.object({ text: z.string(), isDone: z.boolean() }));

/** What the agent's newest execution planned. */
export function newestPlan(rows: readonly Evidence[]): readonly PlanEntry[] {
  const newest = rows.findLast((row) => row.kind === "execution");
  const parsed = planSchema.safeParse(newest?.detail["plan"]);
  return parsed.success ? parsed.data : [];
}
