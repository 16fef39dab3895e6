import type { Provider } from "../forges/forge.ts";
import type { PullState } from "../forges/steps.ts";
import type { ForgeTrouble } from "../forges/trouble.ts";
import { firstLine } from "../text.ts";
import { type Card, type Span, plainCard, sentence, text } from "./card.ts";

/** A goal's pull request, as its card shows it. */
export interface PullView {
  readonly provider: Provider;
  readonly state: PullState;
  readonly number: number | null;
  readonly url: string | null;
  readonly isDraft: boolean;
  /** Who merged or closed it, as the forge names them. */
  readonly endedBy: string | null;
  /** Why it is not as it should be, with what to do. */
  readonly trouble: string | null;
}

/** What the provider calls it. */
export function pullTitle({ provider }: Pick<PullView, "provider">): string {
  return provider === "gitlab" ? "Merge request" : "Pull request";
}

/** "https://github.com/ana/shop/pull/12, a draft". */
export function pullSpans(pull: PullView): Span[] {
  const { url, trouble } = pull;
  const where: Span[] = url === null ? ["not opened yet"] : [{ link: url, to: url }, stateWords(pull)];
  return trouble === null ? where : [...where, ". ", ...sentence(firstLine(trouble, 400))];
}

/** " · Pull request 12, a draft": the end of a line; what is wrong with it begins there. */
export function pullInLine(pull: PullView): Span[] {
  const { url, number, trouble } = pull;
  const title = pullTitle(pull);
  const where: Span[] =
    url === null
      ? [`${title} not opened yet`]
      : [{ link: `${title} ${number ?? ""}`.trim(), to: url }, stateWords(pull)];
  return [" · ", ...where, ...(trouble === null ? [] : [`: ${firstLine(trouble, 60)}`])];
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

/** A forge does not take our token any more: said once. */
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
