import { type Machine, makeMachine } from "../soak/machine.ts";
import { type Answered, cosOn, type Kept, keepRunning } from "../soak/processes.ts";
import type { Outside } from "./outside.ts";

export interface ParkSettings {
  readonly workers: number;
  readonly bots: number;
  /** How many goals a worker works at once. */
  readonly parallel: number;
  readonly isolated: boolean;
}

/** The machines with what runs on them: bots on the first one, a worker on each of the others. */
export interface Park {
  readonly machines: readonly Machine[];
  readonly kept: readonly Kept[];
  /** The first worker and its machine. */
  readonly first: { readonly machine: Machine; readonly worker: Kept };
  /** Of all consoles. */
  readonly token: string;
  /** Those that answer now. */
  consoles(): string[];
  /** A command of the terminal, on the machine of the bots. */
  cos(...words: string[]): Promise<Answered>;
  /** The same; throws what it said where it is refused. */
  insist(...words: string[]): Promise<void>;
  /** Starts bots and workers. */
  start(): void;
  /** Stops them all; which of them did not stop cleanly. Safe twice. */
  stop(): Promise<string[]>;
}

const token = "bench-token-of-all-consoles";

/** `shared`: the folder where goals note what they do, whoever works them. */
export function openPark(root: string, settings: ParkSettings, outside: Outside, shared: string): Park {
  const desk = makeMachine(root, "desk", 0);
  const machines = Array.from({ length: settings.workers }, (_, index) =>
    makeMachine(root, `worker-${index + 1}`, index + 1),
  );
  const environmentOf = (machine: Machine): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOME: machine.home,
    COS_INSTALLED: "1",
    COS_DATA_DIR: machine.dataDir,
    COS_TIMEZONE: "UTC",
    COS_LOG_LEVEL: "warn",
    COS_WRITABLE: shared,
    COS_PARALLEL: String(settings.parallel),
    ...(settings.isolated ? {} : { COS_ISOLATION: "off" }),
    ...outside.environment,
  });
  const kept: Kept[] = [];
  const cos = (...words: string[]): Promise<Answered> => cosOn(desk, environmentOf(desk), ...words);
  return {
    machines: [desk, ...machines],
    kept,
    get first() {
      const [machine, worker] = [machines[0], kept.find((each) => each.role === "worker")];
      if (machine === undefined || worker === undefined) throw new Error("no worker was started");
      return { machine, worker };
    },
    token,
    consoles: () => kept.flatMap((each) => each.consoleUrl() ?? []),
    cos,
    async insist(...words) {
      const { code, said } = await cos(...words);
      if (code !== 0) throw new Error(`${words.join(" ")}: ${said}`);
    },
    start() {
      const ofBots = { ...environmentOf(desk), PORT: "0", COS_CONSOLE_TOKEN: token };
      for (let number = 1; number <= settings.bots; number += 1)
        kept.push(keepRunning({ name: `bot-${number}`, role: "bot", machine: desk, environment: ofBots }));
      for (const machine of machines)
        kept.push(keepRunning({ name: machine.name, role: "worker", machine, environment: environmentOf(machine) }));
    },
    async stop() {
      const clean = await Promise.all(kept.map((each) => each.stop()));
      return kept.flatMap((each, index) => (clean[index] === true ? [] : [`${each.name} did not stop cleanly`]));
    },
  };
}
