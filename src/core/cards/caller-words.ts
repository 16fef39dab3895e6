import type { CallerOrigin, WhyUnknown } from "../callers.ts";

/** Who called, and why some callers may not decide, in words. */

/** The refusal of a call that would change something. `command` is what was typed, without `cos`. */
export function originRefused(
  origin: Extract<CallerOrigin, { type: "agent" | "unknown" }>,
  command: string,
): { readonly reason: string; readonly next: string } {
  if (origin.type === "agent") {
    const whose = origin.runId === null ? "a process of the bot" : `run ${origin.runId}`;
    const next = `ask a person to run, in a new terminal: cos ${command}`;
    return { reason: `a goal's own process cannot decide (${whose})`, next };
  }
  const { why, next } = unknownWords[origin.why];
  return { reason: `an unknown local process cannot decide: ${why}; it may read`, next };
}

const opening = "set COS_UNKNOWN_CALLERS=allow in the .env of Chief of Staff if only you can start processes here";

const inTerminal = "answer in a terminal (cos checkpoints)";

const unknownWords: Readonly<Record<WhyUnknown, { readonly why: string; readonly next: string }>> = {
  untraceable: {
    why: "the process behind the connection has ended or cannot be seen",
    next: `wait for the answer when you call; where a port is forwarded to you, ${inTerminal}; or ${opening}`,
  },
  "no-terminal": {
    why: "it has no terminal and was not started from where the bot was",
    next: `run it in a terminal (over ssh: ssh -t), or ${opening}`,
  },
  "not-followed": {
    why: "goals' processes cannot be distinguished from others on this machine (cos doctor)",
    next: `call from a terminal, or ${opening}`,
  },
  hidden: {
    why: "it runs in a PID namespace of its own, or hides /proc",
    next: `run it where the bot runs, or outside of every container, or ${opening}`,
  },
};

/** A secret that every process of the same user can read. `more`: how many other processes expose one. */
export function exposureWords(
  exposure: { readonly pid: number; readonly program: string; readonly variable: string },
  more: number,
): string {
  const others = more === 0 ? "" : ` and ${more} more`;
  return `${exposure.variable} can be read by agents in the environment of ${exposure.program} (process ${exposure.pid}${others}): set it in .env, or start the bot without npm and shell scripts that were given it`;
}
