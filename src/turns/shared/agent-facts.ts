import type { AgentName, Silence } from "../../agent/process/runner.ts";
import { readAgentWords } from "../../core/recovery/agent-words.ts";
import { resetTimeIn } from "../../core/recovery/reset-time.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine, shorten } from "../../core/text.ts";
import { mark } from "../../db/connection/marks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import type { Execution } from "./execution-request.ts";

/** What an agent is, and did, that its goal's card says. */
export interface AgentFacts {
  readonly name: string | null;
  readonly version: string | null;
  readonly hasAsked: boolean;
  /** What it did without asking, that policy would have asked about (F-306); masked, at most 20. */
  readonly unasked: readonly string[];
}

const mostUnasked = 20;

/** Gathers what an agent tells about itself by what it does, and says on the card when it falls silent (F-307). */
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

  /** What its standard error says of why, where it speaks of a provider's limit; its children write there too. */
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
