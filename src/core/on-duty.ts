import { expectedPeople, namesGroup, namesPerson } from "./chat-platforms.ts";
import { consoleAccounts, type People } from "./people.ts";
import { localDate, weekdayOf } from "./time.ts";
import { parseWorkingDays } from "./working-days.ts";

/** Who is mentioned by a question (COS_ON_DUTY, D44): the people of the rules for that day, or the approvers when no rule names the day. */
export type Duties = readonly DutyRule[];

interface DutyRule {
  /** 1 is Monday, 7 is Sunday. Null means every day. */
  readonly days: readonly number[] | null;
  /** Accounts and groups, as written in COS_APPROVERS. */
  readonly who: readonly string[];
}

export type ReadDuties =
  | { readonly type: "read"; readonly duties: Duties }
  | { readonly type: "wrong"; readonly expected: string };

/** Who may decide, and which accounts belong to one person. */
interface Known {
  readonly approvers: readonly string[];
  readonly people: People;
}

/**
 * Parses `slack:S1`, `ana,discord:@2`, or a rota: `Mon-Fri=ana;Sat,Sun=slack:U2`. A person who can never answer is an error: they
 * would be woken for nothing.
 */
export function parseDuties(text: string, known: Known): ReadDuties {
  const expected = `${expectedPeople.personOrGroup}, or names of COS_PEOPLE, separated by commas; by weekday: Mon-Fri=ana;Sat,Sun=slack:U…`;
  const duties: DutyRule[] = [];
  for (const written of text.split(";").map((each) => each.trim())) {
    if (written === "") continue;
    const [first = "", second, more] = written.split("=");
    const days = second === undefined ? null : parseWorkingDays(first);
    const named = accountsOf((second ?? first).split(","), known.people);
    if (more !== undefined || named === null || (second !== undefined && days === null))
      return { type: "wrong", expected };
    const idle = named.find((account) => !mayBeApprover(account, known.approvers));
    if (idle !== undefined)
      return { type: "wrong", expected: `people who may decide: COS_APPROVERS does not name ${idle}` };
    duties.push({ days, who: named });
  }
  return { type: "read", duties };
}

/** Returns the accounts that can be mentioned. Null when one of the words names none. */
function accountsOf(words: readonly string[], people: People): string[] | null {
  const atConsole = consoleAccounts(people);
  const accounts = words.map((each) => {
    const word = each.trim();
    if (namesPerson(word) || namesGroup(word)) return [word];
    const person = people.find(({ name }) => name === word);
    return (person?.accounts ?? []).filter((account) => !atConsole.includes(account));
  });
  return accounts.some((each) => each.length === 0) ? null : accounts.flat();
}

/** True when the account may belong to an approver. Group members are unknown here, so any group of the platform counts. */
function mayBeApprover(account: string, approvers: readonly string[]): boolean {
  const platform = account.slice(0, account.indexOf(":") + 1);
  const own = approvers.filter((each) => each.startsWith(platform));
  return own.includes(account) || own.some(namesGroup) || (namesGroup(account) && own.length > 0);
}

/** Returns whom a question mentions that is first seen at this time: accounts and groups on all platforms, each once. */
export function onDuty(
  duties: Duties,
  approvers: readonly string[],
  seen: { readonly at: Date; readonly zone: string },
): string[] {
  const today = weekdayOf(localDate(seen.at, seen.zone));
  const who = duties.filter(({ days }) => days === null || days.includes(today)).flatMap((rule) => rule.who);
  return [...new Set(who.length === 0 ? approvers : who)];
}

/** Returns everyone who may be mentioned on any day: people on duty, approvers for days without a rule, and the second person. */
export function everMentioned({
  duties,
  approvers,
  second,
}: {
  readonly duties: Duties;
  readonly approvers: readonly string[];
  readonly second: string | null;
}): string[] {
  const isCovered = (day: number): boolean => duties.some(({ days }) => days === null || days.includes(day));
  const others = [1, 2, 3, 4, 5, 6, 7].every(isCovered) ? [] : approvers;
  return [...new Set([...duties.flatMap(({ who }) => who), ...others, ...(second === null ? [] : [second])])];
}
