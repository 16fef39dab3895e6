import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runGoals } from "../../jobs/run-goal.ts";
import { removeTree } from "../agent/git/tree.ts";
import { type Config, parseConfig, readConfig } from "../config.ts";
import { oneOfEach, runners } from "../core/cheats/cheat.ts";
import { gotThrough, type TriedCriterion, triedLines } from "../core/cheats/tried.ts";
import { errorWords } from "../core/errors.ts";
import { temporaryNames } from "../core/housekeeping/folders.ts";
import { notIsolatedSentence } from "../core/isolation/isolation.ts";
import { openLog } from "../log.ts";
import { complain, print } from "../printing.ts";
import { sayMisconfigured, sayRefused, sayWrongUsage } from "../refusing.ts";
import { processIdentity } from "../turns/shared/process-identity.ts";
import { openWorld } from "../world.ts";
import { leaveHome } from "./home.ts";
import { publishedCheats } from "./published.ts";
import { findCheatSubject } from "./subject.ts";
import { type CheatWorld, tryCheats } from "./try.ts";

/** The entry of `cos verify`, which shows how strong the criteria of a repository are before people rely on them. */

const help = [
  "cos verify --trial-cheats PATH|GOAL [--guards] [--setup COMMAND] [--quick] [--json]",
  "  Try the published cheats (examples/cheats) against the criteria of a file or a goal, and say which would get through.",
  "  Each is a goal of a world of its own with everything that defends one; your repository and your database are only read.",
  "",
  "  PATH            a criteria file in a repository; its last commit counts",
  "  GOAL            a goal's id: its criteria, at its base",
  "  --guards        the criteria pass and guard: the work breaks what they guard, and cheats",
  "  --setup COMMAND what makes a checkout ready (default: as repo add would guess)",
  "  --quick         one cheat of each class instead of all",
  "  --json          one JSON document on standard output",
  "",
  "  Exit 0: none got through. 1: some did, or it could not be tried.",
];

/** Runs `cos verify`. */
export async function start(): Promise<void> {
  process.exitCode = await runVerify(process.argv.slice(3)).catch((error: unknown) =>
    sayRefused({ reason: errorWords(error), next: "cos doctor" }, process.argv.includes("--json")),
  );
}

async function runVerify(words: readonly string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) return print(help);
  const given = readWords(words);
  if (typeof given === "string") return sayWrongUsage(given, help[0] ?? "", words.includes("--json"));
  const read = readConfig();
  if (read.type === "invalid") return sayMisconfigured(read.problems, given.json);
  const found = await findCheatSubject(read.config, given);
  if (found.type === "refused") return sayRefused(found, given.json);
  const all = await publishedCheats();
  const cheats = given.quick ? [...new Set(runners.flatMap((runner) => oneOfEach(all, runner)))] : all;
  const { tried, notIsolated } = await inOwnWorld(
    read.config,
    async (trial) => await tryCheats(trial, found.subject, cheats),
  );
  print(given.json ? [JSON.stringify({ criteria: tried, notIsolated }, null, 2)] : triedLines(tried, notIsolated));
  return gotThrough(tried) || tried.every(({ ground }) => ground === null) ? 1 : 0;
}

/** Opens a temporary world with nothing of the person's: no cards, no goals, not their database. It is removed afterwards. */
async function inOwnWorld(
  config: Config,
  tryThere: (trial: CheatWorld) => Promise<TriedCriterion[]>,
): Promise<{ readonly tried: TriedCriterion[]; readonly notIsolated: string | null }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), temporaryNames.cheats)));
  const own: Record<string, string> = { COS_DATA_DIR: join(folder, "data"), COS_ISOLATION: config.isolation };
  const scratch = parseConfig(own);
  if (scratch.type === "invalid") throw new Error(scratch.problems.join("; "));
  const { policy } = scratch.config;
  const quiet = {
    ...policy,
    recovery: { ...policy.recovery, rungs: [{ attempts: 1, backoffMs: 0 }] },
    verification: { ...policy.verification, rounds: 1 },
    triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
  };
  const opening = { listens: false, serves: false, mayStart: true, onProgress: (text: string) => complain([text]) };
  const world = await openWorld({ ...scratch.config, policy: quiet }, openLog("silent"), opening);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  try {
    const worker = { leasedBy: processIdentity(config.machine), shutdown: stopping.signal };
    const { tools, isolation } = await world.deps.places.isolating();
    if (tools === null) await leaveHome(join(folder, "home"));
    const onTried = (id: string, { name, end }: { name: string; end: string }): void =>
      complain([`${id} ${name}: ${end}`]);
    return {
      tried: await tryThere({ deps: world.deps, work: () => runGoals(world.deps, worker), folder, onTried }),
      notIsolated: notIsolatedSentence(isolation),
    };
  } finally {
    await world.close();
    await removeTree(folder);
  }
}

interface Given {
  readonly named: string;
  readonly setup: string | undefined;
  readonly guards: boolean;
  readonly quick: boolean;
  readonly json: boolean;
}

/** Parses the arguments; returns a text when they are wrong. */
function readWords(words: readonly string[]): Given | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        "trial-cheats": { type: "string" },
        setup: { type: "string" },
        guards: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
      },
    });
    const { "trial-cheats": named, setup, guards, quick, json } = values;
    return named === undefined ? "--trial-cheats PATH|GOAL is missing" : { named, setup, guards, quick, json };
  } catch (error) {
    return errorWords(error);
  }
}
