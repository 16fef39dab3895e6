import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerAll } from "../soak/person.ts";
import { compileOnce } from "../soak/processes.ts";
import { seeded } from "../soak/random.ts";
import { untilOver, untilShown } from "../soak/waiting.ts";
import { type PlannedGoal, planWork } from "../soak/work.ts";
import { type Figures, folderMb, startMeter } from "./figures.ts";
import { type Compared, compare } from "./findings.ts";
import { type Lost, loseDisk } from "./lost-disk.ts";
import { openOutputs } from "./outputs.ts";
import { openOutside, type Outside } from "./outside.ts";
import { openPark, type Park, type ParkSettings } from "./park.ts";
import { serveCopies } from "./remote.ts";

export interface MachinesSettings extends ParkSettings {
  readonly goals: number;
  readonly repositories: number;
  /** How many goals ask before they begin. */
  readonly questions: number;
  readonly onRedis: boolean;
  /** The first worker's disk is deleted when a third of the goals has ended. */
  readonly losesDisk: boolean;
}

export interface Findings extends Compared, Figures {
  readonly goals: number;
  readonly questionsAnswered: number;
  readonly hiccupsAnswered: number;
  readonly outputs: number;
  readonly opened: number;
  readonly ranOnLostDisk: number;
  /** What the deleted disk took: outputs that nobody can open any more, of goals that ran there then. */
  readonly outputsLost: number;
  readonly disksMb: string;
}

/**
 * Workers on machines of their own and bots on another one, as real processes that share only what `openOutside` opens. All goals are
 * added at once; a person clicks what is asked, on every console in one moment. Everything must end, once. Files lie below `root`,
 * which the caller removes.
 */
export async function runMachines(
  root: string,
  settings: MachinesSettings,
  say: (line: string) => void,
): Promise<Findings> {
  await compileOnce();
  // Every user goes through it to a home of its own.
  await chmod(root, 0o711);
  const shared = join(root, "work");
  await mkdir(shared);
  const outside = await openOutside(root, settings.onRedis);
  const park = openPark(root, settings, outside, shared);
  try {
    return await workThrough(outside, park, settings, { shared, say });
  } finally {
    await park.stop();
    await outside.close();
  }
}

async function workThrough(
  outside: Outside,
  park: Park,
  settings: MachinesSettings,
  { shared, say }: { readonly shared: string; readonly say: (line: string) => void },
): Promise<Findings> {
  const { server, served } = outside;
  const { repositories, goals } = await planWork(shared, { ...settings, longestPhaseSeconds: 1 }, seeded(1));
  const names = await serveCopies(served.folder, repositories);
  // Each phase runs once: trials of a proof would run its criterion again.
  for (const name of names)
    await park.insist("repo", "add", `${served.url}/${name}`, "--setup", "", "--check", "", "--trials", "off");
  for (const name of new Set(goals.map((goal) => goal.repository)))
    await addGoals(
      park,
      shared,
      goals.filter((goal) => goal.repository === name),
    );
  park.start();

  const meter = await startMeter(outside, park.kept);
  const person = new AbortController();
  const desk = { server, cos: park.cos, token: async () => park.token, consoles: park.consoles, random: seeded(2) };
  const manner = { pauseMs: 2_000, atOnce: 20, onlyClicks: true };
  const answering = answerAll(desk, manner, person.signal);
  const losing: Promise<Lost> = settings.losesDisk
    ? loseDisk(server, park.first, Math.ceil(settings.goals / 3), person.signal)
    : Promise.resolve(new Set<string>());
  // Its error is thrown where it is waited for.
  losing.catch(() => undefined);
  const inPeace = await untilOver(server, goals.length, say);
  const figures = await meter.end(goals.length);
  person.abort();
  const answers = await answering;
  const lost = await losing;
  if (inPeace) await untilShown(server, say);

  const opened = await openOutputs(server, park.consoles(), park.token);
  const consoles = park.consoles().length;
  const unclean = await park.stop();
  const compared = await compare(outside, { work: shared, names, planned: goals }, { opened, lost });
  return {
    goals: goals.length,
    ...compared,
    questionsAnswered: answers.questions,
    hiccupsAnswered: answers.hiccups,
    outputs: opened.outputs,
    opened: opened.opened,
    ranOnLostDisk: lost.size,
    outputsLost: opened.missing.filter(({ goalId }) => lost.has(goalId)).length,
    ...figures,
    disksMb: park.machines.map(({ name, home }) => `${name} ${folderMb(home)}`).join(", "),
    wrong: [
      ...compared.wrong,
      ...answers.unexpected,
      ...(consoles === settings.bots ? [] : ["not every bot has a console"]),
      ...park.kept.flatMap((each) => each.endings),
      ...unclean,
    ],
  };
}

/** All goals of one repository, and a session for them. */
async function addGoals(park: Park, folder: string, goals: readonly PlannedGoal[]): Promise<void> {
  const repository = goals[0]?.repository ?? "";
  const file = join(folder, `goals-${repository}.json`);
  await writeFile(file, JSON.stringify(goals.map((goal) => goal.entry)));
  await park.insist("goal", "add", "--repo", repository, "--from", file);
  await park.insist("autopilot", "start", "--repo", repository, "--budget", "1000");
}
