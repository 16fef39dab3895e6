import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Ended, type Run, runHere } from "./run.mjs";

/**
 * To start a process, the kernel copies the page tables of the one that starts it, and that one stands still meanwhile: a few
 * milliseconds for every command in a bot of 200 MB, and more where cores are busy. So a process that runs git often does it
 * from a small one, `helper.mjs`. Commands that need git a few times start none.
 */
const fewRuns = 10;
let runs = 0;

interface Helper {
  readonly child: ChildProcess;
  readonly waiting: Map<number, (ended: Ended) => void>;
}
let helper: Helper | null = null;

/** Runs git here or in the helper; the outcome is the same. Never rejects. */
export function runGitProcess(run: Run): Promise<Ended> {
  runs += 1;
  if (runs <= fewRuns) return runHere(run);
  helper ??= startHelper();
  return helper === null ? runHere(run) : ask(helper, runs, run);
}

function ask(helper: Helper, id: number, run: Run): Promise<Ended> {
  return new Promise((settle) => {
    helper.waiting.set(id, settle);
    keepAlive(helper);
    helper.child.send({ id, run }, (error) => {
      if (error !== null) settleOne(helper, id, notStarted(error.message));
    });
  });
}

/** Null when there is none to be had: without a channel nothing can be asked. */
function startHelper(): Helper | null {
  const child = fork(fileURLToPath(new URL("helper.mjs", import.meta.url)), {
    // It inherits nothing that an agent could find in it, holds no directory, and hears no Ctrl-C.
    cwd: "/",
    env: {},
    execArgv: [],
    detached: true,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const started: Helper = { child, waiting: new Map() };
  child.on("message", (message: { readonly id: number; readonly ended: Ended }) => {
    settleOne(started, message.id, message.ended);
  });
  function isGone(): void {
    if (helper === started) helper = null;
    for (const id of started.waiting.keys()) settleOne(started, id, notStarted("the process that runs git has ended"));
  }
  child.once("error", isGone);
  child.once("exit", isGone);
  keepAlive(started);
  return child.channel === undefined ? null : started;
}

function settleOne(helper: Helper, id: number, ended: Ended): void {
  helper.waiting.get(id)?.(ended);
  helper.waiting.delete(id);
  keepAlive(helper);
}

/** This process ends when nothing else keeps it; one that waits for git does not. */
function keepAlive({ child, waiting }: Helper): void {
  if (waiting.size > 0) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function notStarted(message: string): Ended {
  return { exitCode: null, error: { code: "", message }, endedFor: null, stdout: new Uint8Array(), stderr: "" };
}
