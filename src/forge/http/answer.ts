import type { z } from "zod";
import type { ForgeAnswer, ForgeSite, MergedThere, PullRequest } from "../../core/forges/forge.ts";
import { providerTitles } from "../../core/forges/forge.ts";
import { mergeRefusal } from "../../core/forges/merging.ts";
import { type FailedAnswer, forgeTrouble } from "../../core/forges/trouble.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { KnownAnswers } from "./known.ts";

/** Time limit for an answer of a forge. */
export const longestAnswerMs = 15_000;

/** The context of every request to a forge. */
export interface ForgeContext {
  readonly site: ForgeSite;
  readonly known: KnownAnswers;
  now(): Date;
}

/** The name of the setting that holds a provider's token. */
export function tokenSetting(site: Pick<ForgeSite, "provider">): string {
  return `COS_${site.provider.toUpperCase()}_TOKEN`;
}

/** Converts a failed answer to words; the token is masked everywhere in them. */
export function failedAnswer(
  { site, now }: ForgeContext,
  answer: FailedAnswer,
): Extract<ForgeAnswer<never>, { type: "failed" }> {
  const asker = {
    title: providerTitles[site.provider],
    host: new URL(site.url).host,
    setting: tokenSetting(site),
  };
  const message = maskSecrets(answer.message, [site.token]);
  return { type: "failed", trouble: forgeTrouble({ ...answer, message }, asker, now()) };
}

/** The pull request that was opened. After a 409 another process of ours may just have opened it, so it is looked for. */
export async function openedOrThere(
  opened: ForgeAnswer<PullRequest>,
  find: () => Promise<ForgeAnswer<PullRequest | null>>,
): Promise<ForgeAnswer<PullRequest>> {
  if (opened.type === "ok" || opened.trouble.status !== 409) return opened;
  const there = await find();
  return there.type === "ok" && there.value !== null ? { type: "ok", value: there.value } : opened;
}

/**
 * The result of a failed merge request: refused, with the reason, or unknown. Missing rights count as a refusal, because the same token
 * has just read the pull request.
 */
export async function refusedOr(
  asked: Extract<ForgeAnswer<unknown>, { type: "failed" }>,
  hasConflict: () => Promise<boolean | null>,
): Promise<ForgeAnswer<MergedThere>> {
  const { kind, status, said } = asked.trouble;
  if (kind === "unreachable" || kind === "limited") return asked;
  const why = mergeRefusal({ status, message: said }, kind === "refused" ? await hasConflict() : null);
  return { type: "ok", value: { type: "refused", why, said } };
}

/** The cause of a missing answer, in words that a person can look up: fetch hides it in `cause`. */
export function causeWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return `no answer after ${longestAnswerMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : error.message;
}

/** Parses an answer. An answer of another shape does not come from this provider, and counts as a failure. */
export function readAnswer<Value>(context: ForgeContext, shape: z.ZodType<Value>, body: unknown): ForgeAnswer<Value> {
  const read = shape.safeParse(body);
  if (read.success) return { type: "ok", value: read.data };
  const [first] = read.error.issues;
  const where = first === undefined ? "" : ` (${first.path.join(".")}: ${first.message})`;
  return failedAnswer(context, { status: null, headers: {}, message: `an answer of another shape${where}` });
}

/** Applies `read` to a successful answer. */
export function answered<Answer, Value>(
  asked: ForgeAnswer<Answer>,
  read: (answer: Answer) => Value,
): ForgeAnswer<Value> {
  return asked.type === "failed" ? asked : { type: "ok", value: read(asked.value) };
}

/** Drops the value of a successful answer. */
export function nothing(asked: ForgeAnswer<unknown>): ForgeAnswer<null> {
  return answered(asked, () => null);
}

/**
 * Page size and maximum number of pages of a list. Lists begin with the oldest entries, and the newest ones matter, so the limit is
 * high.
 */
export const mostPages = 50;
export const pageLength = 100;

/** Reads the pages of a list until one is not full. `length` is the minimum length of a full page. */
export async function pagesOf<Each>(
  askPage: (page: number) => Promise<ForgeAnswer<readonly Each[]>>,
  length = pageLength,
): Promise<ForgeAnswer<readonly Each[]>> {
  const all: Each[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await askPage(page);
    if (found.type === "failed") return found;
    all.push(...found.value);
    if (found.value.length < length) break;
  }
  return { type: "ok", value: all };
}

/** Turns "forbidden" and 404 into an empty list: checks and statuses need rights that the token may lack. */
export function missingAsNull<Each>(asked: ForgeAnswer<readonly Each[]>): ForgeAnswer<readonly Each[]> {
  if (asked.type === "ok") return asked;
  const { kind, status } = asked.trouble;
  return kind === "forbidden" || status === 404 ? { type: "ok", value: [] } : asked;
}
