import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Machine, makeMachine } from "../soak/machine.ts";
import { answerAll } from "../soak/person.ts";
import { cosOn, type Kept, keepRunning } from "../soak/processes.ts";
import { seeded } from "../soak/random.ts";
import { untilOver, untilShown } from "../soak/waiting.ts";
import { type PlannedGoal, planWork } from "../soak/work.ts";
import { type Figures, folderMb, startMeter } from "./figures.ts";
import { type Compared, compare } from "./findings.ts";
import { type Lost, loseDisk } from "./lost-disk.ts";
import { openOutputs } from "./outputs.ts";
import { openOutside } from "./outside.ts";
import { serveCopies } from "./remote.ts";

export interface MachinesSettings {
  readonly goals: number;
  readonly workers: number;
  readonly bots: number;
  readonly repositories: number;
  /** How many of a hundred goals ask before they begin. */
  readonly questionsPercent: number;
  /** How many goals a worker works at once. */
  readonly parallel: number;
  readonly onRedis: boolean;
  /** The first worker's disk is deleted when a third of the goals has ended. */
  readonly losesDisk: boolean;
  readonly isolated: boolean;
}

export interface Findings extends Compared, Figures {
  readonly goals: number;
  readonly questionsAnswered: number;
  readonly hiccupsAnswered: number;
  readonly outputs: number;
  readonly opened: number;
  /** What the deleted disk took: outputs that nobody can open any more, of goals that ran there then. */
  readonly outputsLost: number;
  readonly ranOnLostDisk: number;
}

const token = "bench-token-of-all-consoles";

/**
 * Workers on machines of their own and bots on another one, as real processes that share only what `openOutside` opens. All goals are
 * added at once; a person clicks what is asked on every console in one moment. Everything must end, once. Files lie below `root`,
 * which the caller removes.
 */
export async function runMachines(
  root: string,
  settings: MachinesSettings,
  say: (line: string) => void,
): Promise<Findings> {
  // Every user goes through it to a home of its own.
  await chmod(root, 0o711);
  const work = join(root, "work");
  await mkdir(work);
  const outside = await openOutside(root, settings.onRedis);
  const { repositories, goals } = await planWork(
    work,
    { ...settings, questions: Math.round((settings.goals * settings.questionsPercent) / 100), longestPhaseSeconds: 1 },
    seeded(1),
  );
  const names = await serveCopies(outside.served.folder, repositories);
  const desk = makeMachine(root, "desk", 0);
  const workers = Array.from({ length: settings.workers }, (_, index) =>
    makeMachine(root, `worker-${index + 1}`, index + 1),
  );
  const environmentOf = (machine: Machine): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOME: machine.home,
    COS_DATA_DIR: machine.dataDir,
    COS_TIMEZONE: "UTC",
    COS_LOG_LEVEL: "warn",
    COS_WRITABLE: work,
    COS_PARALLEL: String(settings.parallel),
    ...(settings.isolated ? {} : { COS_ISOLATION: "off" }),
    ...outside.environment,
  });
  const cos = (...words: string[]) => cosOn(desk, environmentOf(desk), ...words);
  const insist = async (...words: string[]): Promise<void> => {
    const { code, said } = await cos(...words);
    if (code !== 0) throw new Error(`${words.join(" ")}: ${said}`);
  };
  // Each phase runs once: trials of a proof would run its criterion again.
  for (const name of names)
    await insist("repo", "add", `${outside.served.url}/${name}`, "--setup", "", "--check", "", "--trials", "off");

  const bots = Array.from({ length: settings.bots }, (_, index) =>
    keepRunning({
      name: `bot ${index + 1}`,
      role: "bot",
      machine: desk,
      environment: { ...environmentOf(desk), PORT: "0", COS_CONSOLE_TOKEN: token },
    }),
  );
  const working = workers.map((machine) =>
    keepRunning({ name: machine.name, role: "worker", machine, environment: environmentOf(machine) }),
  );
  const kept = [...bots, ...working];
  const consoles = (): string[] => bots.flatMap((each) => each.consoleUrl() ?? []);
  const meter = await startMeter(outside, kept);
  for (const repository of new Set(goals.map((goal) => goal.repository)))
    await addGoals(
      work,
      goals.filter((goal) => goal.repository === repository),
      insist,
    );

  const person = new AbortController();
  const answering = answerAll(
    { server: outside.server, cos, token: async () => token, consoles, random: seeded(2) },
    { pauseMs: 2_000, atOnce: 20, onlyClicks: true },
    person.signal,
  );
  const [machine, worker] = [workers[0], working[0]];
  const losing: Promise<Lost> =
    settings.losesDisk && machine !== undefined && worker !== undefined
      ? loseDisk(outside.server, machine, worker, Math.ceil(settings.goals / 3))
      : Promise.resolve(new Set<string>());
  const inPeace = await untilOver(outside.server, goals.length, say);
  const figures = await meter.end(goals.length);
  person.abort();
  const answers = await answering;
  if (inPeace) await untilShown(outside.server, say);
  const lost = inPeace ? await losing : new Set<string>();
  const opened = await openOutputs(outside.server, consoles(), token);
  const stopped = await Promise.all(kept.map((each) => each.stop()));
  const compared = await compare(outside, { work, names, planned: goals }, { opened, lost });
  const disksMb = [desk, ...workers].map(({ name, home }) => `${name} ${folderMb(home)}`).join(", ");
  await outside.close();
  return {
    goals: goals.length,
    ...compared,
    questionsAnswered: answers.questions,
    hiccupsAnswered: answers.hiccups,
    outputs: opened.outputs,
    opened: opened.opened,
    outputsLost: opened.missing.filter(({ goalId }) => lost.has(goalId)).length,
    ranOnLostDisk: lost.size,
    ...figures,
    disksMb,
    wrong: [
      ...compared.wrong,
      ...answers.unexpected,
      ...(consoles().length === settings.bots ? [] : ["not every bot has a console"]),
      ...kept.flatMap((each: Kept) => each.endings),
      ...stopped.flatMap((clean, index) => (clean ? [] : [`${kept[index]?.name ?? "?"} did not stop cleanly`])),
    ],
  };
}

/** All goals of one repository, and a session for them. */
async function addGoals(
  folder: string,
  goals: readonly PlannedGoal[],
  insist: (...words: string[]) => Promise<void>,
): Promise<void> {
  const repository = goals[0]?.repository ?? "";
  const file = join(folder, `goals-${repository}.json`);
  await writeFile(file, JSON.stringify(goals.map((goal) => goal.entry)));
  await insist("goal", "add", "--repo", repository, "--from", file);
  await insist("autopilot", "start", "--repo", repository, "--budget", "1000");
}
