/** What keeps a command from the rest of the machine, as far as it was shown by trying (D39). */
export interface Isolation {
  /** What a self-test has shown; nothing is concluded from the platform's name. */
  readonly shown: readonly KeptApart[];
  /** Why the rest is not, and what to install or set; null when all of it is shown. */
  readonly next: string | null;
}

/** "files": nothing outside can be written. "processes": none outside can be seen. "network": no address can be reached. */
export type KeptApart = (typeof everythingKept)[number];

export const everythingKept = ["files", "processes", "network"] as const;

/** COS_ISOLATION: use what there is; use nothing; refuse to start where not everything is shown. */
export type IsolationMode = "auto" | "off" | "required";

/** Nothing is hidden from an agent; `next` says what would change that. */
export const notIsolatedAtAll = (next: string): Isolation => ({ shown: [], next });

/** "not isolated (files, processes), network not isolated"; null when everything is shown. */
export function notIsolatedWords({ shown }: Pick<Isolation, "shown">): string | null {
  const missing = everythingKept.filter((each) => !shown.includes(each));
  const ofMachine = missing.filter((each) => each !== "network");
  const words = [
    ...(ofMachine.length === 0 ? [] : [`not isolated (${ofMachine.join(", ")})`]),
    ...(missing.includes("network") ? ["network not isolated"] : []),
  ];
  return words.length === 0 ? null : words.join(", ");
}

/** The same with what to do about it: "…: install bubblewrap (apt-get install bubblewrap)". */
export function notIsolatedSentence(isolation: Isolation): string | null {
  const words = notIsolatedWords(isolation);
  return words === null || isolation.next === null ? words : `${words}: ${isolation.next}`;
}
