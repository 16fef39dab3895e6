/**
 * The chat platforms that there are, in one table: what each is called, and how settings name its people and groups.
 * What connects them is the table of `chat/connections.ts`.
 */
interface ChatPlatformFacts {
  readonly title: string;
  /** Somebody, as COS_APPROVERS names them. */
  readonly person: RegExp;
  /** Several people, as COS_APPROVERS names them: a user group, a role. */
  readonly group: RegExp;
  /** Both in words, for a refused setting. */
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

/** All of them, in the order of the table. */
export const chatPlatformNames = Object.keys(chatPlatforms) as ChatPlatform[];

const facts: readonly ChatPlatformFacts[] = Object.values(chatPlatforms);
const titles: ReadonlyMap<string, string> = new Map(
  Object.entries(chatPlatforms).map(([name, { title }]) => [name, title]),
);

/** "Slack"; a place that is no chat platform keeps its own word: "console". */
export function platformTitle(name: string): string {
  return titles.get(name) ?? name;
}

/** Where something was done, in words: "in the console", "in Slack". */
export function placeWords(via: string): string {
  return titles.has(via) ? `in ${platformTitle(via)}` : `in the ${via}`;
}

/** Whether a setting names a person of some platform: `slack:U0123ABCD`. */
export function namesPerson(word: string): boolean {
  return facts.some(({ person }) => person.test(word));
}

/** Whether a setting names several people of some platform: `discord:@123`. */
export function namesGroup(word: string): boolean {
  return facts.some(({ group }) => group.test(word));
}

/** What a setting that names people is expected to be. */
export const expectedPeople = {
  person: facts.map(({ expects }) => expects.person).join(" or "),
  personOrGroup: listed(facts.flatMap(({ expects }) => [expects.person, expects.group])),
} as const;

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

/** Those of some people and groups that are of one of these platforms. */
export function ofPlatforms(people: readonly string[], platforms: readonly string[]): string[] {
  return people.filter((each) => platforms.some((name) => each.startsWith(`${name}:`)));
}
