import type { Account, AccountLine } from "../worklog/account.ts";
import { type Card, type Span } from "./card.ts";
import { linesCard } from "./lists.ts";

/** The success criteria of the worklog: the label of each, and what it is measured from. */
const names: Readonly<Record<AccountLine["name"], { readonly name: string; readonly from: string }>> = {
  capture: { name: "Captured", from: "operations that were kept, of all that were seen" },
  verification: { name: "Todos verified", from: "checks that passed, of all" },
  corrections: { name: "Course corrections", from: "asked for by summaries, of all summaries" },
  skipping: { name: "Left out", from: "goals with --no-worklog, --skip-verify or --no-checkpoints, of all goals" },
  tokens: { name: "Tokens", from: "that reached a model, a worklog" },
};

/** The account of the last `days` days: each number with its target and the counts behind it. */
export function accountCard(account: Account, days: number): Card {
  const lines = account.lines.map((line): Span[] => {
    const { name, from } = names[line.name];
    const met = line.isMet === null ? "" : line.isMet ? ", met" : ", not met";
    return [
      { strong: `${name} ` },
      `${valueWords(line)} (target ${line.target}${met}; ${line.of.join(" of ")}: ${from})`,
    ];
  });
  const limit = account.isNearLimit ? ": near the limit, older ones are forgotten first" : "";
  return linesCard(`Accountability of the last ${days} days`, [
    ...lines,
    [`Worklogs with their entries: ${account.active} of at most ${account.mostActive}${limit}`],
    [`The usual mix of tiers may cost ${account.tokensOfUsualMix} tokens a goal`],
  ]);
}

function valueWords({ name, value }: AccountLine): string {
  if (value === null) return "nothing to measure";
  return name === "tokens" ? String(Math.round(value)) : `${Math.round(value * 1000) / 10} %`;
}
