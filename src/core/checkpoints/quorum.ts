import { namesGroup, namesPerson } from "../chat-platforms.ts";
import { consoleAccounts, type People, personWith } from "../people.ts";
import type { CheckpointKind, Effect } from "./checkpoint.ts";
import type { NotCounted, TallyLine } from "./answering.ts";
import { namedTriggers, type Trigger, triggers, triggerWordsListed } from "./triggers.ts";

/**
 * How many people must agree before work continues (COS_QUORUM). Votes are only for continuing: one person alone may
 * Skip, or send work back. A vote counts for the version that was shown; a change to the question voids all votes.
 */
export interface QuorumRule {
  readonly needed: number;
  /** Accounts, groups and names from COS_PEOPLE. Empty: everyone who may decide. */
  readonly of: readonly string[];
  /** The vote of the person who asked for the goal does not count. */
  readonly withoutRequester: boolean;
}

export type Quorums = Readonly<Partial<Record<Trigger, QuorumRule>>>;

export type ReadQuorums =
  | { readonly type: "read"; readonly quorums: Quorums }
  | { readonly type: "wrong"; readonly expected: string };

/** The settings that say who may vote. */
export interface Electorate {
  /** As written in COS_APPROVERS. */
  readonly approvers: readonly string[];
  readonly people: People;
  /** The configured chat platforms. */
  readonly platforms: readonly string[];
}

/**
 * Parses `architecture=2;cost=2 of ana,slack:S1,discord:@2 without requester`. A rule that nobody can satisfy is an error: its
 * questions could only expire.
 */
export function parseQuorums(text: string, electorate: Electorate): ReadQuorums {
  const expected = `rules such as architecture=2 or cost=2 of ana,slack:S…,discord:@… without requester, separated by ";": ${triggerWordsListed}`;
  const quorums: Partial<Record<Trigger, QuorumRule>> = {};
  const rules = text.split(";").map((each) => each.trim());
  const isOther = (rule: string): boolean => rule.split("=", 1)[0]?.trim() === "other";
  if (rules.filter(isOther).length > 1) return { type: "wrong", expected };
  for (const written of [...rules.filter((each) => !isOther(each)), ...rules.filter(isOther)]) {
    if (written === "") continue;
    const at = written.indexOf("=");
    const [word, rest] = [written.slice(0, Math.max(at, 0)).trim(), written.slice(at + 1).trim()];
    const about = word === "other" ? triggers.filter((each) => quorums[each] === undefined) : namedTriggers(word);
    const rule = readRule(rest, electorate.people);
    const isTwice = about?.some((each) => quorums[each] !== undefined) ?? false;
    if (about === null || rule === null || isTwice) return { type: "wrong", expected };
    const most = votersOf(rule, electorate);
    if (most < rule.needed) return { type: "wrong", expected: tooFewWords(word, rule, most) };
    for (const trigger of about) quorums[trigger] = rule;
  }
  return { type: "read", quorums };
}

function readRule(text: string, people: People): QuorumRule | null {
  const [, needed = "", named, without] =
    /^(\d{1,2})(?:\s+of\s+([^\s,]+(?:\s*,\s*[^\s,]+)*))?(\s+without\s+requester)?$/.exec(text) ?? [];
  const of = (named ?? "").split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
  const isKnown = (word: string): boolean =>
    consoleAccounts(people).includes(word) ||
    namesPerson(word) ||
    namesGroup(word) ||
    people.some(({ name }) => name === word);
  if (Number(needed) < 1 || !of.every(isKnown)) return null;
  return { needed: Number(needed), of, withoutRequester: without !== undefined };
}

/** Returns the maximum number of voters. Infinity when a group may vote, because its size is unknown. */
export function votersOf(rule: QuorumRule, electorate: Electorate): number {
  const deciders = identities([...electorate.approvers, ...consoleAccounts(electorate.people)], electorate);
  const voters = rule.of.length === 0 ? deciders : identities(rule.of, electorate);
  // Only deciders ask for goals. When all of them are voters, the requester is always one of them.
  const isRequesterIn = rule.withoutRequester && [...deciders].every((each) => voters.has(each));
  return voters.has(aGroup) ? Number.POSITIVE_INFINITY : voters.size - (isRequesterIn ? 1 : 0);
}

const aGroup = "a group";

/** Returns the distinct people behind accounts and names, without those who may not decide. */
function identities(words: readonly string[], { approvers, people, platforms }: Electorate): Set<string> {
  const groups = approvers.filter(namesGroup);
  const isSetUp = (account: string): boolean => platforms.some((name) => account.startsWith(`${name}:`));
  const mayDecide = (account: string): boolean =>
    consoleAccounts(people).includes(account) ||
    (isSetUp(account) && (approvers.includes(account) || groups.some((each) => samePlatform(each, account))));
  const found = words.flatMap((word) => {
    if (namesGroup(word)) return isSetUp(word) && approvers.some((each) => samePlatform(each, word)) ? [aGroup] : [];
    const accounts = people.find(({ name }) => name === word)?.accounts ?? [word];
    return accounts.filter(mayDecide).map((account) => whoIs(account, people));
  });
  return new Set(found);
}

function samePlatform(one: string, other: string): boolean {
  return one.split(":")[0] === other.split(":")[0];
}

function tooFewWords(word: string, { needed, withoutRequester }: QuorumRule, most: number): string {
  const who = withoutRequester ? "people besides the requester" : "people";
  return `at most ${most} for ${word}: no more ${who} can vote there (COS_APPROVERS, COS_PEOPLE), and ${needed} would have to`;
}

/** Returns the person for whom a vote counts: the present name in COS_PEOPLE, else the account. */
export function whoIs(account: string, people: People): string {
  return personWith(account, people)?.name ?? account;
}

/** Returns the distinct rules of a question. Empty when one answer is enough. An agent's question for words has none. */
export function rulesOf(
  { kind, reasons }: { readonly kind: CheckpointKind; readonly reasons: readonly { readonly trigger: Trigger }[] },
  quorums: Quorums,
): readonly QuorumRule[] {
  if (kind === "clarify") return [];
  return [...new Set(reasons.flatMap(({ trigger }) => quorums[trigger] ?? []))];
}

/** A person who votes or has voted. */
export interface Voter {
  /** As `whoIs` returns it. */
  readonly person: string;
  /** The account first, then its groups at that moment. */
  readonly accounts: readonly string[];
}

export type VoteDecision =
  /** Enough people have voted now. */
  | { readonly type: "settles" }
  | { readonly type: "counted" }
  /** This person has already voted for this version. */
  | { readonly type: "repeated" }
  | { readonly type: "not-counted"; readonly reason: Exclude<NotCounted, "groups-unknown"> };

/** True when a rule might also count this vote: the voter's membership in one of its groups is unknown. */
export function isInDoubt(rules: readonly QuorumRule[], voter: Voter, inDoubt: readonly string[]): boolean {
  return rules.some((rule) => !isNamed(rule, voter) && inDoubt.some((group) => rule.of.includes(group)));
}

/** Decides what a vote does, given the earlier votes for the same version. Pure; the caller holds the question's row lock. */
export function decideVote(
  rules: readonly QuorumRule[],
  given: readonly Voter[],
  voter: Voter,
  requester: string | null,
): VoteDecision {
  if (given.some(({ person }) => person === voter.person)) return { type: "repeated" };
  if (!rules.some((rule) => counts(rule, voter, requester))) {
    const isRequester = voter.person === requester && rules.some((rule) => isNamed(rule, voter));
    return { type: "not-counted", reason: isRequester ? "requester" : "not-named" };
  }
  const votes = [...given, voter];
  return rules.every((rule) => votesFor(rule, votes, requester) >= rule.needed)
    ? { type: "settles" }
    : { type: "counted" };
}

/**
 * Returns the votes that still count: of people who may decide by the present COS_APPROVERS and COS_PEOPLE, one for each person.
 * Group memberships are those at the time of the vote.
 */
export function validVotes<Given extends Voter>(
  given: readonly Given[],
  { approvers, people }: Pick<Electorate, "approvers" | "people">,
): Given[] {
  const deciders = [...approvers, ...consoleAccounts(people)];
  const ofPeople = new Map<string, Given>();
  for (const vote of given) {
    const [account = vote.person] = vote.accounts;
    const person = whoIs(account, people);
    const own = personWith(account, people)?.accounts ?? [];
    const mayDecide = [...vote.accounts, ...own].some((each) => deciders.includes(each));
    if (mayDecide && !ofPeople.has(person)) ofPeople.set(person, { ...vote, person });
  }
  return [...ofPeople.values()];
}

/** Returns the votes for each rule. */
export function tallyOf(rules: readonly QuorumRule[], votes: readonly Voter[], requester: string | null): TallyLine[] {
  return rules.map((rule) => ({ ...rule, votes: votesFor(rule, votes, requester) }));
}

/** Returns the number of votes that count for a rule, one for each person. */
function votesFor(rule: QuorumRule, votes: readonly Voter[], requester: string | null): number {
  return new Set(votes.filter((vote) => counts(rule, vote, requester)).map(({ person }) => person)).size;
}

function counts(rule: QuorumRule, voter: Voter, requester: string | null): boolean {
  return isNamed(rule, voter) && !(rule.withoutRequester && voter.person === requester);
}

function isNamed({ of }: QuorumRule, { person, accounts }: Voter): boolean {
  return of.length === 0 || of.includes(person) || accounts.some((each) => of.includes(each));
}

/** True when the effect needs a quorum. Giving up, sending back and asking again do not. */
export function needsVotes(effect: Effect): effect is "continue" | "modify" {
  return effect === "continue" || effect === "modify";
}

/** Returns the groups of a platform that settings name for deciding or voting, without the platform's prefix. */
export function groupsNamed(
  { approvers, quorums }: { readonly approvers: readonly string[]; readonly quorums: Quorums },
  platform: string,
): string[] {
  const words = [...approvers, ...Object.values(quorums).flatMap((rule) => rule?.of ?? [])];
  const groups = words.filter((each) => namesGroup(each) && each.startsWith(`${platform}:`));
  return [...new Set(groups.map((each) => each.slice(platform.length + 1)))];
}
