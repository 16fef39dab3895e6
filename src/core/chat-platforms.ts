/**
 * All chat platforms in one table: their titles, and how settings name their people and groups.
 * Their connections are in the table of `chat/connections.ts`.
 */
interface ChatPlatformFacts {
  readonly title: string;
  /** A person, as written in COS_APPROVERS. */
  readonly person: RegExp;
  /** A group of people, as written in COS_APPROVERS: a user group or a role. */
  readonly group: RegExp;
  /** Both as text, for the error about a wrong setting. */
  readonly expects: { readonly person: string; readonly group: string };
}

export const chatPlatforms = {
  slack: {
    title: "Slack",
    person: /^slack:[UW]\w+$/,
    group: /^slack:S\w+$/,
    expects: { person: "slack:U…", group: "slack:S…" },
  },
  discord: {
    title: "Discord",
    person: /^discord:\d+$/,
    group: /^discord:@\d+$/,
    expects: { person: "discord:<user id>", group: "discord:@<role id>" },
  },
} as const satisfies Readonly<Record<string, ChatPlatformFacts>>;

export type ChatPlatform = keyof typeof chatPlatforms;

/** All platform names, in the order of the table. */
export const chatPlatformNames = Object.keys(chatPlatforms) as ChatPlatform[];

const facts: readonly ChatPlatformFacts[] = Object.values(chatPlatforms);
const titles: ReadonlyMap<string, string> = new Map(
  Object.entries(chatPlatforms).map(([name, { title }]) => [name, title]),
);

/** Returns a platform's title, such as "Slack". Other places keep their name: "console". */
export function platformTitle(name: string): string {
  return titles.get(name) ?? name;
}

/** Returns where something was done as text: "in the console", "in Slack". */
export function placeWords(via: string): string {
  return titles.has(via) ? `in ${platformTitle(via)}` : `in the ${via}`;
}

/** True when a word of a setting names a person on any platform: `slack:U0123ABCD`. */
export function namesPerson(word: string): boolean {
  return facts.some(({ person }) => person.test(word));
}

/** True when a word of a setting names a group on any platform: `discord:@123`. */
export function namesGroup(word: string): boolean {
  return facts.some(({ group }) => group.test(word));
}

/** The expected form of a setting that names people. */
export const expectedPeople = {
  person: facts.map(({ expects }) => expects.person).join(" or "),
  personOrGroup: listed(facts.flatMap(({ expects }) => [expects.person, expects.group])),
} as const;

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

/** Returns the people and groups that belong to one of these platforms. */
export function ofPlatforms(people: readonly string[], platforms: readonly string[]): string[] {
  return people.filter((each) => platforms.some((name) => each.startsWith(`${name}:`)));
}
