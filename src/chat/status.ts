import type { ChatLog, PlatformOptions } from "./platform.ts";

/** The status of a platform: "connected", or what is wrong with the connection, else with calls into it. */
export interface Status {
  word(): string;
  /** Sets one part; null when nothing is wrong with it. `advice` replaces the advice that the word alone gives. */
  set(which: "connection" | "calls", word: string | null, advice?: string | null): void;
}

interface StatusOptions {
  readonly name: "slack" | "discord";
  readonly log: ChatLog;
  readonly onStatus: PlatformOptions["onStatus"];
  /** Returns what to do about a word; null when nothing is known. */
  readonly adviceFor: (word: string) => string | null;
}

/** Opens a status. It begins as "connecting"; each change is logged and reported once. */
export function openStatus({ name, log, onStatus, adviceFor }: StatusOptions): Status {
  const trouble = { connection: "connecting" as string | null, calls: null as string | null };
  let said = "";
  const word = () => trouble.connection ?? trouble.calls ?? "connected";
  return {
    word,
    set(which, wrong, advice = null) {
      trouble[which] = wrong;
      if (word() === said) return;
      said = word();
      log(said === "connected" ? "info" : "warn", `${name}.status`, { status: said });
      const hint = advice ?? adviceFor(said);
      onStatus(hint === null ? said : `${said}: ${hint}`);
    },
  };
}
