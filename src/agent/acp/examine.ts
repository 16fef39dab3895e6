import type { Finding } from "../../core/reports/finding.ts";
import { greetAgent } from "./greet.ts";
import { parseAgent } from "./parse-agent.ts";
import { missingProgram } from "./program.ts";

interface Examined {
  /** As in COS_AGENT; null when none is configured. */
  readonly agent: string | null;
  readonly agentEnvironment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Time limit for an agent's answer to *initialize*, in milliseconds. */
  readonly startMs: number;
}

/**
 * The finding of `cos doctor` about an agent: starts it and reports what it answers to *initialize*. Only `cos agent test` prompts it
 * (F-304). `repository` is set when the agent is a repository's own, which replaces COS_AGENT.
 */
export async function examineAgent(examined: Examined, repository: string | null = null): Promise<Finding> {
  const { agent, agentEnvironment, secrets, startMs } = examined;
  const name = repository === null ? "agent" : `agent of ${repository}`;
  const [setting, test] =
    repository === null
      ? ["COS_AGENT", "cos agent test"]
      : [`it with cos repo edit ${repository} --agent AGENT`, `cos agent test --repo ${repository}`];
  if (agent === null)
    return { name, ok: true, isUnset: true, says: "none configured: goals need --run, or set COS_AGENT" };
  const parsed = parseAgent(agent);
  if (parsed.type === "invalid") return { name, ok: false, says: parsed.reason };
  const what = `${parsed.kind}: ${parsed.label}`;
  if (parsed.kind === "command") {
    const program = missingProgram(parsed.label);
    if (program === null) return { name, ok: true, says: `${what}, not tried: ${test}` };
    return { name, ok: false, says: `${what}: ${program} was not found: install it, or correct ${setting}` };
  }
  const waitMs = Math.min(startMs, longestGreetingMs);
  const greeting = await greetAgent(parsed.label, { environment: agentEnvironment, secrets, waitMs });
  if (greeting.type === "silent") return { name, ok: false, says: `${what}: ${greeting.reason}. ${adviceOn(setting)}` };
  const { name: called, version, takesSessionsUp, logins } = greeting;
  const is = [called ?? "an agent without a name", version ?? ""].filter((each) => each !== "").join(" ");
  const up = takesSessionsUp ? "takes sessions up again" : "begins anew after every pause";
  const ways = logins.length === 0 ? "" : `; logs in by ${logins.join(", ")}`;
  return { name, ok: true, says: `${what} answers: ${is}, ${up}${ways}. What else it can: ${test}` };
}

function adviceOn(setting: string): string {
  return `Install it, log in once in a terminal, or correct ${setting} (docs/agents.md)`;
}

/** Maximum wait of `cos doctor`. A slower agent is reported; a goal waits longer. */
const longestGreetingMs = 30_000;
