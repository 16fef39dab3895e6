/** What isolates commands from the rest of the machine, as a self-test has shown (D39). */
export interface Isolation {
  /** The parts that the self-test has shown. Nothing is concluded from the platform's name. */
  readonly shown: readonly KeptApart[];
  /** Why the other parts are not isolated, and what to install or set. Null when all parts are. */
  readonly next: string | null;
}

/** "files": it cannot write outside. "processes": it cannot see processes outside. "network": it can reach no address. */
export type KeptApart = (typeof everythingKept)[number];

export const everythingKept = ["files", "processes", "network"] as const;

/** COS_ISOLATION: use what works; use nothing; refuse to start unless all parts are shown. */
export type IsolationMode = "auto" | "off" | "required";

/** No isolation at all. `next`: what would change that. */
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
