import type { z } from "zod";
import type { ForgeAnswer, ForgeSite, MergedThere, PullRequest } from "../../core/forges/forge.ts";
import { providerTitles } from "../../core/forges/forge.ts";
import { mergeRefusal } from "../../core/forges/merging.ts";
import { type FailedAnswer, forgeTrouble } from "../../core/forges/trouble.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { KnownAnswers } from "./known.ts";

/** A forge that does not answer by then does not answer. */
export const longestAnswerMs = 15_000;

/** What every question to a forge goes with. */
export interface ForgeContext {
  readonly site: ForgeSite;
  readonly known: KnownAnswers;
  now(): Date;
}

/** The setting that holds the token of a provider. */
export function tokenSetting(site: Pick<ForgeSite, "provider">): string {
  return `COS_${site.provider.toUpperCase()}_TOKEN`;
}

/** An answer that is no success, in words; the token is masked wherever it stands. */
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

/** What was opened; 409: another one of ours has opened it in this moment, and it is looked for. */
export async function openedOrThere(
  opened: ForgeAnswer<PullRequest>,
  find: () => Promise<ForgeAnswer<PullRequest | null>>,
): Promise<ForgeAnswer<PullRequest>> {
  if (opened.type === "ok" || opened.trouble.status !== 409) return opened;
  const there = await find();
  return there.type === "ok" && there.value !== null ? { type: "ok", value: there.value } : opened;
}

/**
 * A merge that was not done: refused, with the reason, or not known. A right that is missing for it is a refusal, since the
 * same token has just read it.
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

/** Why there was no answer, as a person can look it up: fetch hides it below. */
export function causeWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return `no answer after ${longestAnswerMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : error.message;
}

/** An answer of another shape than this provider has is no answer of this provider. */
export function readAnswer<Value>(context: ForgeContext, shape: z.ZodType<Value>, body: unknown): ForgeAnswer<Value> {
  const read = shape.safeParse(body);
  if (read.success) return { type: "ok", value: read.data };
  const [first] = read.error.issues;
  const where = first === undefined ? "" : ` (${first.path.join(".")}: ${first.message})`;
  return failedAnswer(context, { status: null, headers: {}, message: `an answer of another shape${where}` });
}

/** Of an answer what is wanted of it. */
export function answered<Answer, Value>(
  asked: ForgeAnswer<Answer>,
  read: (answer: Answer) => Value,
): ForgeAnswer<Value> {
  return asked.type === "failed" ? asked : { type: "ok", value: read(asked.value) };
}

/** Of what was asked only whether it was done. */
export function nothing(asked: ForgeAnswer<unknown>): ForgeAnswer<null> {
  return answered(asked, () => null);
}

/** Lists come in pages of a hundred; more of one list are not looked through. The oldest come first, and what people say last counts. */
export const mostPages = 50;
export const pageLength = 100;

/** The pages of a list, one after the other, until one is not full; `length`: what a full one has at least. */
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

/** What a token may not see is not there: checks and statuses need rights of their own. */
export function missingAsNull<Each>(asked: ForgeAnswer<readonly Each[]>): ForgeAnswer<readonly Each[]> {
  if (asked.type === "ok") return asked;
  const { kind, status } = asked.trouble;
  return kind === "forbidden" || status === 404 ? { type: "ok", value: [] } : asked;
}
