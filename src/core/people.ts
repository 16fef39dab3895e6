import { expectedPeople, namesPerson } from "./chat-platforms.ts";

/** Which accounts belong to one person (COS_PEOPLE, D55). Audit rows and cards name the person, and a person has one vote. */
export type People = readonly Person[];

export interface Person {
  readonly name: string;
  /** `slack:U1A2B3C4D`, `discord:123`, `console:ana` (a named session of the console), or `console`. */
  readonly accounts: readonly string[];
}

/** The account of anyone at the terminal or with the console's token, whatever their name there. */
export const localAccount = "console";

const personName = /^\p{L}[\p{L}\d._-]{0,39}$/u;

/** True when a person, or a session of the console, may have this name. */
export function isPersonName(name: string): boolean {
  return personName.test(name) && name !== localAccount;
}

/**
 * Returns the account of a console session (D54). Its name counts only when COS_PEOPLE lists it. Otherwise it is the local
 * person, so that nobody gets more votes with invented names.
 */
export function accountAtConsole(name: string | null, people: People): string {
  const account = `${localAccount}:${name ?? ""}`;
  return name !== null && personWith(account, people) !== null ? account : localAccount;
}

/** Returns every console account that settings name. */
export function consoleAccounts(people: People): string[] {
  return [localAccount, ...people.flatMap(({ accounts }) => accounts.filter(isNamedAtConsole))];
}

function isNamedAtConsole(account: string): boolean {
  return account.startsWith(`${localAccount}:`) && isPersonName(account.slice(localAccount.length + 1));
}

export type ReadPeople =
  | { readonly type: "read"; readonly people: People }
  | { readonly type: "wrong"; readonly expected: string };

/** Parses `ana=slack:U1+discord:2+console;ben=slack:U3`. An account must not belong to two people. */
export function parsePeople(text: string): ReadPeople {
  const expected = `people such as ana=slack:U1+discord:2+console, separated by ";": each a name of its own, and accounts of nobody else (${expectedPeople.person}, ${localAccount}:NAME or ${localAccount})`;
  const people: Person[] = [];
  for (const rule of text.split(";").map((each) => each.trim())) {
    if (rule === "") continue;
    const [name = "", named = "", more] = rule.split("=").map((each) => each.trim());
    const accounts = named.split("+").map((each) => each.trim());
    const isNew = people.every((each) => each.name !== name && accounts.every((one) => !each.accounts.includes(one)));
    const isKnown = (each: string): boolean => each === localAccount || isNamedAtConsole(each) || namesPerson(each);
    const areAccounts = accounts.every(isKnown);
    const isOnce = new Set(accounts).size === accounts.length;
    if (!isPersonName(name) || !isNew || !areAccounts || !isOnce || more !== undefined)
      return { type: "wrong", expected };
    people.push({ name, accounts });
  }
  return { type: "read", people };
}

/** Returns the person with this account. Null when settings list it for nobody. */
export function personWith(account: string, people: People): Person | null {
  return people.find(({ accounts }) => accounts.includes(account)) ?? null;
}
