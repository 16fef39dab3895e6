import type { ChecksSeen } from "../forges/checks.ts";
import type { Provider } from "../forges/forge.ts";
import type { PullState } from "../forges/steps.ts";
import type { ForgeTrouble } from "../forges/trouble.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type Span, plainCard, sentence, text } from "./card.ts";

/** A goal's pull request, as its card shows it. */
export interface PullView {
  readonly provider: Provider;
  readonly state: PullState;
  readonly number: number | null;
  readonly url: string | null;
  readonly isDraft: boolean;
  /** Who merged or closed it, by the forge's name for them. */
  readonly endedBy: string | null;
  /** Number of remarks that nobody has had worked on, and the last of them in one line. */
  readonly remarksWaiting: number;
  readonly lastRemark: string | null;
  /** The checks of its commit. Null when they were not read. */
  readonly checks: ChecksSeen | null;
  /** What is wrong with it, and what to do. */
  readonly trouble: string | null;
}

/** The provider's name for a pull request. */
export function pullTitle({ provider }: Pick<PullView, "provider">): string {
  return provider === "gitlab" ? "Merge request" : "Pull request";
}

/** "https://github.com/ana/shop/pull/12, a draft". */
export function pullSpans(pull: PullView): Span[] {
  const { url, trouble } = pull;
  const where: Span[] =
    url === null ? ["not opened yet"] : [{ link: url, to: url }, stateWords(pull), ...saidThere(pull)];
  return trouble === null ? where : [...where, ". ", ...sentence(firstLine(trouble, 400))];
}

/** " · Pull request 12, a draft": ends a line. Includes the beginning of what is wrong with it. */
export function pullInLine(pull: PullView): Span[] {
  const { url, number, trouble } = pull;
  const title = pullTitle(pull);
  const where: Span[] =
    url === null
      ? [`${title} not opened yet`]
      : [{ link: `${title} ${number ?? ""}`.trim(), to: url }, stateWords(pull), ...saidInLine(pull)];
  return [" · ", ...where, ...(trouble === null ? [] : [`: ${firstLine(trouble, 60)}`])];
}

/** The remarks and checks of a pull request, while it is open. */
function saidThere({ state, remarksWaiting, lastRemark, checks }: PullView): Span[] {
  if (state !== "open") return [];
  const said = remarksWaiting === 0 ? [] : [`. ${count(remarksWaiting, "remark")} to decide about`];
  const last = remarksWaiting === 0 || lastRemark === null ? [] : [`; ${firstLine(lastRemark, 160)}`];
  return [...said, ...last, ...(checks === null ? [] : [checkWords(checks)])];
}

function saidInLine({ state, remarksWaiting, checks }: PullView): Span[] {
  if (state !== "open") return [];
  const said = remarksWaiting === 0 ? [] : [`, ${count(remarksWaiting, "remark")}`];
  return [...said, ...(checks?.state === "failed" ? [", checks failed"] : [])];
}

function checkWords({ state, all, failed }: ChecksSeen): string {
  switch (state) {
    case "none":
      return "";
    case "pending":
      return `. ${count(all, "check")}, not ended`;
    case "passed":
      return `. ${count(all, "check")} passed`;
    case "failed": {
      const names = failed.slice(0, 5).map(({ name }) => firstLine(name, 60));
      return `. Failed: ${names.join(", ")}${failed.length > 5 ? ` and ${failed.length - 5} more` : ""}`;
    }
  }
}

function stateWords({ state, isDraft, endedBy }: PullView): string {
  const by = endedBy === null ? "" : ` by ${firstLine(endedBy, 60)}`;
  switch (state) {
    case "wanted":
      return "";
    case "open":
      return isDraft ? ", a draft" : ", ready";
    case "merged":
    case "closed":
      return `, ${state}${by}`;
  }
}

/** Says once that a forge no longer accepts our token. */
export function revokedTokenCard({ reason, next }: Pick<ForgeTrouble, "reason" | "next">): Card {
  return plainCard({
    kind: "notice",
    tone: "bad",
    title: "Pull requests wait for a token",
    summary: `${reason}. Pull requests are not opened or updated until then: ${next}.`,
    blocks: [
      text(...sentence(reason), "."),
      text("Goals go on; their pull requests are opened and updated when there is a token again."),
      text({ strong: "What to do: " }, ...sentence(next), "."),
    ],
  });
}
