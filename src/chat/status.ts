import type { ChatLog, PlatformOptions } from "./platform.ts";

/** How a platform is, in a word: "connected", or what is wrong with the connection, else with calls into it. */
export interface Status {
  word(): string;
  /** Null: nothing is wrong. `advice` is told where it is known better than by the word. */
  set(which: "connection" | "calls", word: string | null, advice?: string | null): void;
}

interface StatusOptions {
  readonly name: "slack" | "discord";
  readonly log: ChatLog;
  readonly onStatus: PlatformOptions["onStatus"];
  /** What may be done about a word; null: nothing is known. */
  readonly adviceFor: (word: string) => string | null;
}

/** Begins as "connecting"; each change is logged and told once. */
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
