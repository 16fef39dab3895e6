import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { tellingLines } from "../../core/acceptance/telling-lines.ts";
import { unrun } from "../../agent/verify/verify.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { shorten } from "../../core/text.ts";
import { reachesNothing } from "../../core/isolation/network.ts";
import type { Deps } from "../../deps.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { type Checkout, type CheckoutRan, inCheckout, setsUp, type WorkToVerify } from "./checkout.ts";
import { keepProven } from "./keep-result.ts";

/**
 * Runs criteria on the work. If setup fails there in two places and succeeds at the base in between, the work broke it: all criteria that
 * need it fail, like any other failure. If it fails at the base too, that says nothing about the work. If it fails only once (a network, a
 * busy machine), that says nothing at all.
 */
export async function inWork(deps: Deps, work: WorkToVerify, checkout: Checkout): Promise<CheckoutRan> {
  const first = await inCheckout(deps, work, checkout);
  if (!isBroken(work, first)) return first;
  const needs = ({ verification: { method } }: Criterion): boolean => method === "bash" || method === "subagent";
  const commit = work.run.baseCommit ?? work.tip;
  if (!checkout.criteria.some(needs) || checkout.commit === commit) return first;
  const base = { ...checkout, commit, from: commit, overlay: [], absent: [], variant: "@base" } as const;
  if (!(await setsUp(deps, work, base)) || work.keeper.cutReason() !== null) return first;
  const again = await inCheckout(deps, work, checkout);
  if (!isBroken(work, again)) return again;

  const teller = checkout.criteria.find(needs);
  const results = checkout.criteria.map((criterion) =>
    brokenOr(criterion, [again.reason, ...(criterion === teller ? tellingLines(again.setup) : [])]),
  );
  const { isolation } = await deps.places.isolating();
  for (const [index, criterion] of checkout.criteria.entries()) {
    const result = results[index];
    const { isOfBase = false } = checkout;
    const hash = criterionHash(criterion);
    const at = { ...work, ...checkout, isOfBase, hash, isolation, reach: reachesNothing, folder: "" };
    if (result !== undefined) await keepProven(deps, at, result);
  }
  return { type: "ran", results, inside: "", coverage: null };
}

/** True when setup ended and failed. */
function isBroken({ keeper }: WorkToVerify, ran: CheckoutRan): ran is BrokenSetup {
  return ran.type === "failed" && ran.setup !== undefined && keeper.cutReason() === null;
}

type BrokenSetup = Extract<CheckoutRan, { type: "failed" }> & { readonly setup: string };

/** The result of a criterion after a broken setup: it fails if it needs the setup. */
function brokenOr({ id, slug, verification }: Criterion, why: readonly string[]): CriterionResult {
  if (verification.method !== "bash" && verification.method !== "subagent") return unrun({ id, slug }, verification);
  const by = verification.method === "bash" ? shorten(inOneLine(verification.command, "; "), 120) : "subagent";
  const details = ["not run: the work breaks the setup, which succeeds without it", ...why];
  const found = { status: "fail", method: verification.method, by, details, brokenSetup: true } as const;
  return { id, slug, ...found, durationMs: 0, output: null };
}
