import type { Proposals } from "../agent/git/proposals.ts";
import { ownPath } from "../agent/process/environment.ts";
import { programIn } from "../agent/process/programs.ts";
import { lacksModule } from "../agent/verify/python-modules.ts";
import { programsOf, pythonModulesOf } from "../core/acceptance/tools.ts";
import type { Repository } from "../db/repositories.ts";

/**
 * Returns what to do next after adding a repository: name a check if none was found, install what its commands need, add a goal.
 * `proposals`: what its files suggest for commands that were not given.
 */
export async function nextLines(
  { name, setup, checks }: Pick<Repository, "name" | "setup" | "checks">,
  proposals: Proposals,
): Promise<string[]> {
  const isProposed =
    (setup !== null && setup === proposals.setup) || checks.some((each) => proposals.checks.includes(each));
  return [
    ...(isProposed
      ? [`That is what its files suggest. Other commands: cos repo edit ${name} --setup CMD --check CMD`]
      : []),
    ...missingLines(name, setup === null ? [] : [setup], checks),
    ...(await moduleLines(name, setup, checks)),
    ...(checks.length === 0
      ? [`No command checks its goals beside their own criteria. Name one: cos repo edit ${name} --check CMD`]
      : []),
    `Give it work: cos goal add TEXT --repo ${name}`,
  ];
}

/** Returns one line for each program of the setup or a check that is not on this machine. */
function missingLines(name: string, setup: readonly string[], checks: readonly string[]): string[] {
  const path = ownPath();
  const [ofSetup, ofChecks] = [programsOf(setup), programsOf(checks)];
  const missing = [...new Set([...ofSetup, ...ofChecks])].filter((program) => programIn(path, program) === null);
  return missing.map((program) => {
    const isSetup = ofSetup.includes(program);
    const which =
      isSetup && ofChecks.includes(program)
        ? "the setup and a check run it"
        : `${isSetup ? "the setup" : "a check"} runs it`;
    const other = isSetup ? `cos repo edit ${name} --setup CMD` : `cos repo edit ${name} --check CMD`;
    return `${program} is not installed on this machine, and ${which}. Install it where goals are worked, or name another command: ${other}`;
  });
}

/** Like `missingLines`, for Python modules that a check runs. */
async function moduleLines(name: string, setup: string | null, checks: readonly string[]): Promise<string[]> {
  const lines = pythonModulesOf(setup, checks).map(async (module) =>
    (await lacksModule(module))
      ? [
          `${module.python} has no ${module.name} on this machine, and a check runs it. Install it where goals are worked, or name a setup that does: cos repo edit ${name} --setup CMD`,
        ]
      : [],
  );
  return (await Promise.all(lines)).flat();
}
