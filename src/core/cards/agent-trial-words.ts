import type { Counting } from "../agents/counting.ts";
import { formatUsd } from "../money.ts";

/** What a trial of an agent found (F-304). */
export interface AgentTrial {
  readonly agent: { readonly name: string; readonly version: string | null } | null;
  /** How the first prompt failed. Null when it ended well. */
  readonly failure: string | null;
  readonly edits: boolean;
  /** True when the agent asked before it ran a command. */
  readonly asks: boolean;
  readonly tells: "cost" | "tokens" | "nothing";
  readonly costMicroUsd: number | null;
  readonly resumes: boolean;
  /** How the agent counts costs in a resumed session, as the second prompt showed. */
  readonly counting: Counting | null;
  /** Null when stopping was not tried. */
  readonly stop: { readonly leftProcesses: number } | null;
  /** The cost of all its prompts together, from the ledger. Null when the agent is not paid by use. */
  readonly cost: { readonly amountMicroUsd: number; readonly isEstimated: boolean } | null;
}

/** One line for each thing that was tried. If the agent cannot do it, the line says what follows. */
export function trialLines(tried: AgentTrial): readonly { readonly ok: boolean; readonly words: string }[] {
  const { agent, failure } = tried;
  const name = agent === null ? "It has not said what it is" : `It is ${agent.name} ${agent.version ?? ""}`.trimEnd();
  const began = { ok: agent !== null, words: name };
  const spent = { ok: true, words: spentWords(tried) };
  if (failure !== null) return [began, { ok: false, words: `It did not finish one trivial edit: ${failure}` }, spent];
  return [
    began,
    { ok: tried.edits, words: tried.edits ? "It edits files" : "It says that it is done, but hello.txt is not there" },
    {
      ok: tried.asks,
      words: tried.asks
        ? "It asks before it runs a command"
        : "It asks nobody before it runs a command: its settings say so, and goals' cards will too",
    },
    costWords(tried),
    {
      ok: tried.resumes,
      words: tried.resumes
        ? "It can continue a session"
        : "It starts over after a pause or an answer: what it knew is repeated in its prompt",
    },
    stopWords(tried),
    spent,
  ];
}

function spentWords({ cost }: AgentTrial): string {
  if (cost === null) return "This trial is paid at its flat rate: no dollar is called spent";
  const estimated = cost.isEstimated ? ", estimated: a prompt was interrupted, or nobody said what it cost" : "";
  return `This trial cost ${formatUsd(cost.amountMicroUsd)}${estimated}; it is in the ledger, and no goal's`;
}

function costWords({ tells, costMicroUsd, counting }: AgentTrial): { ok: boolean; words: string } {
  switch (tells) {
    case "cost": {
      const how =
        counting === null
          ? ""
          : counting === "anew"
            ? "; a session that goes on counts from zero"
            : "; a session taken up again goes on counting";
      return { ok: true, words: `It reports what it costs (${formatUsd(costMicroUsd ?? 0)} for this)${how}` };
    }
    case "tokens":
      return {
        ok: true,
        words:
          "It reports tokens: they are charged at the price of its model (COS_AGENT_PRICE where that is not known)",
      };
    case "nothing":
      return {
        ok: false,
        words:
          "It reports no cost: it is charged by the minute, estimated (or repo add --billing flat for a subscription)",
      };
  }
}

function stopWords({ stop }: AgentTrial): { ok: boolean; words: string } {
  if (stop === null) return { ok: false, words: "Whether it stops was not tried" };
  const ok = stop.leftProcesses === 0;
  return {
    ok,
    words: ok
      ? "It stops when it is told to, and leaves no process"
      : `${stop.leftProcesses} of its processes were left when it was stopped`,
  };
}
