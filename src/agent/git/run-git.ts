import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Ended, type Run, runHere } from "./run.mjs";

/**
 * To start a process, the kernel copies the page tables of the parent, which stands still meanwhile: a few milliseconds for each
 * command in a bot of 200 MB, and more on busy cores. So a process that runs git often does it through a small one, `run-server.mjs`.
 * Commands that need git a few times do not start it.
 */
const fewRuns = 10;
let runs = 0;

interface Server {
  readonly child: ChildProcess;
  readonly waiting: Map<number, (ended: Ended) => void>;
}
let server: Server | null = null;

/** Runs git here or in the server, with the same result. Never rejects. */
export function runGitProcess(run: Run): Promise<Ended> {
  runs += 1;
  if (runs <= fewRuns) return runHere(run);
  server ??= startServer();
  return server === null ? runHere(run) : ask(server, runs, run);
}

function ask(server: Server, id: number, run: Run): Promise<Ended> {
  return new Promise((settle) => {
    server.waiting.set(id, settle);
    keepAlive(server);
    server.child.send({ id, run }, (error) => {
      if (error !== null) settleOne(server, id, notStarted(error.message));
    });
  });
}

/** Starts the server. Null when it has no channel, because then nothing can be sent to it. */
function startServer(): Server | null {
  const child = fork(fileURLToPath(new URL("run-server.mjs", import.meta.url)), {
    // The server inherits nothing that an agent could find in it, holds no directory open, and gets no Ctrl-C.
    cwd: "/",
    env: {},
    execArgv: [],
    detached: true,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const started: Server = { child, waiting: new Map() };
  child.on("message", (message: { readonly id: number; readonly ended: Ended }) => {
    settleOne(started, message.id, message.ended);
  });
  function isGone(): void {
    if (server === started) server = null;
    for (const id of started.waiting.keys()) settleOne(started, id, notStarted("the process that runs git has ended"));
  }
  child.once("error", isGone);
  child.once("exit", isGone);
  keepAlive(started);
  return child.channel === undefined ? null : started;
}

function settleOne(server: Server, id: number, ended: Ended): void {
  server.waiting.get(id)?.(ended);
  server.waiting.delete(id);
  keepAlive(server);
}

/** The server keeps this process alive only while a git command is running. */
function keepAlive({ child, waiting }: Server): void {
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
