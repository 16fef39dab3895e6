import type { AgentName, Silence } from "../../agent/process/runner.ts";
import { readAgentWords } from "../../core/recovery/agent-words.ts";
import { resetTimeIn } from "../../core/recovery/reset-time.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine, shorten } from "../../core/text.ts";
import { mark } from "../../db/connection/marks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import type { Execution } from "./execution-request.ts";

/** Facts about an agent that its goal's card shows. */
export interface AgentFacts {
  readonly name: string | null;
  readonly version: string | null;
  readonly hasAsked: boolean;
  /** Actions without a question, about which the policy would have asked (F-306). Masked, at most 20. */
  readonly unasked: readonly string[];
}

const mostUnasked = 20;

/** Collects facts about an agent while it works, and records in the timeline when it becomes silent and when it is heard again (F-307). */
export function openAgentFacts(
  deps: Pick<Deps, "database" | "config" | "now" | "log">,
  { goal, run, lease }: Pick<Execution, "goal" | "run" | "lease">,
) {
  let name: AgentName | null = null;
  let hasAsked = false;
  let isSilent = false;
  const unasked = new Set<string>();

  async function tell(silence: Silence | null): Promise<void> {
    const { goalId, sessionId } = goal;
    const about = { goalId, sessionId, runId: run.runId, at: deps.now() };
    await deps.database.transaction(async (tx) => {
      if (silence === null) await appendTimeline(tx, { event: "agent.heard", ...about });
      else
        await appendTimeline(tx, {
          event: "agent.silent",
          ...about,
          detail: { ...whatItSays(silence), turn: lease.turn },
        });
      mark(tx, "goal", goalId);
    });
  }

  /** The minutes of silence, and the provider's limit if standard error names one. The agent's child processes write there too. */
  function whatItSays({ afterMs, errors }: Silence) {
    const minutes = Math.round(afterMs / 60_000);
    const text = safeOutput(errors, deps.config.secrets);
    const meaning = text === "" ? null : readAgentWords({ from: "protocol", texts: [text], asksForLogin: false });
    if (meaning?.type !== "limit") return { minutes };
    const until = resetTimeIn(meaning.text, deps.now(), deps.config.timezone);
    const line = text.split("\n").findLast((each) => /\b(?:429|529|limits?|quotas?|exhausted)\b/i.test(each)) ?? "";
    return { minutes, limit: firstLine(line, 200), ...(until === null ? {} : { until: until.toISOString() }) };
  }

  return {
    known(agent: AgentName): void {
      name = agent;
    },
    asked(): void {
      hasAsked = true;
    },
    unasked(what: string): void {
      if (unasked.size < mostUnasked) unasked.add(shorten(safeOutput(firstLine(what, 400), deps.config.secrets), 200));
    },
    silent(silence: Silence | null): void {
      if (silence === null && !isSilent) return;
      isSilent = silence !== null;
      void tell(silence).catch((error: unknown) => deps.log.warn("timeline.not-written", { error }));
    },
    close: (): AgentFacts => ({
      name: name?.name ?? null,
      version: name?.version ?? null,
      hasAsked,
      unasked: [...unasked],
    }),
  };
}
