import { afterAll, describe, expect, it } from "vitest";
import { installed, type KnownAgent, knownAgents, quickAgents, titleOf } from "./known.ts";
import { matrix } from "./matrix.ts";
import { openWalks } from "./walk.ts";
import { beginningWalks } from "./walks/beginning.ts";
import { interruptionWalks } from "./walks/interruptions.ts";
import { permissionWalks } from "./walks/permissions.ts";
import { providerWalks } from "./walks/provider.ts";
import { workWalks } from "./walks/work.ts";

/**
 * Real agents, whole: each walk by each agent, on a model server that plays what its model says. `npm run test:agents`
 * (two of them; all with `-- --all`, some with `-- NAME …`) prints the table that stands in docs/agents.md.
 */

const wanted = process.env["COS_TEST_AGENTS"] ?? "";
const chosen = agentsOf(wanted);

function agentsOf(names: string): readonly KnownAgent[] {
  if (names === "all") return knownAgents;
  if (names === "two") return quickAgents;
  return knownAgents.filter((agent) => names.split(",").includes(agent.name));
}

const printed = matrix(chosen.map(titleOf));
afterAll(() => printed.print());

it.skipIf(chosen.length > 0)("real agents are walked by npm run test:agents", () => undefined);

describe.each(chosen)("$name", (agent) => {
  const missing = whyMissing(agent);
  if (missing !== null) return it("is installed", ({ skip }) => without(missing, skip));
  const walks = openWalks(agent, printed);
  beginningWalks(walks);
  workWalks(walks);
  permissionWalks(walks);
  interruptionWalks(walks);
  providerWalks(walks);
});

/** Null: it is there. */
function whyMissing(agent: KnownAgent): string | null {
  try {
    installed(agent);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Who asked for an agent is told that it is missing by a failure; the two that nobody named are skipped aloud. */
function without(missing: string, skip: (why: string) => void): void {
  process.stderr.write(`Not walked: ${missing}\n`);
  if (wanted === "two") skip(missing);
  expect(missing).toBe(null);
}
