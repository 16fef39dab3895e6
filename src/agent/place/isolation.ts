import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorWords } from "../../core/errors.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";
import {
  everythingKept,
  type Isolation,
  type IsolationMode,
  type KeptApart,
  notIsolatedAtAll,
} from "../../core/isolation/isolation.ts";
import { ownPath } from "../process/environment.ts";
import { type Exposure, exposedSecrets } from "../process/exposure.ts";
import { startGuarded } from "../process/guard.ts";
import { programIn } from "../process/programs.ts";
import { keepStart } from "../process/stream-text.ts";
import { encloseWith, type EnclosureOptions, type Mount, type Network, type Tools } from "./bubblewrap.ts";
import { machineMounts } from "./hidden.ts";
import { stateMounts } from "./known-agents.ts";
import { temporaryTrouble } from "./writable.ts";
import { systemMounts, toolMounts } from "./visible.ts";

/**
 * Finds what isolates commands on this machine, by a self-test whose result the process caches. From inside a place, the test tries to
 * write a file outside, to see a process of ours, and to reach a port of ours. Each must fail (D39).
 */

/** What isolates here, and the programs for it. */
export interface IsolationTools {
  /** What verification is isolated from. */
  readonly isolation: Isolation;
  /** What agents are isolated from; they need a network to the outside. */
  readonly ofAgents: Isolation;
  /** The programs that isolate a command; null when nothing isolates. */
  readonly tools: Tools | null;
}

interface Found {
  readonly isolating: Promise<IsolationTools>;
  /** When the test found that nothing isolates, by the process's monotonic clock; null when it has not. */
  failedMs: number | null;
}

let found: Found | null = null;

/** Interval between two tests as long as nothing isolates: the machine may have been busy, or its disk full for a moment. */
const againAfterMs = 60_000;

/** Returns what isolates here. Tests on first use, and again later if nothing isolated. With "off" nothing is tested. */
export function whatIsolates(mode: IsolationMode): Promise<IsolationTools> {
  if (mode === "off") return Promise.resolve(nothing("COS_ISOLATION=off: set it to auto"));
  const isOld = found !== null && found.failedMs !== null && performance.now() - found.failedMs > againAfterMs;
  if (found === null || isOld) found = find();
  return found.isolating;
}

function find(): Found {
  const isolating = tryHere().catch((error: unknown) =>
    nothing(`the self-test could not be tried: ${errorWords(error)}`),
  );
  const own: Found = { isolating, failedMs: null };
  void isolating.then(({ tools }) => {
    if (tools === null) own.failedMs = performance.now();
  });
  return own;
}

/**
 * What agents are isolated from. With a table of hosts, agents have only a private loopback with forwards to those hosts. So
 * slirp4netns is not needed, and "network" counts as isolated.
 */
export function isolationOfAgents(
  { isolation, ofAgents, tools }: IsolationTools,
  { hosts }: { readonly hosts: readonly string[] },
): Isolation {
  if (hosts.length === 0 || tools === null || !isolation.shown.includes("network")) return ofAgents;
  const shown = everythingKept.filter((each) => each === "network" || ofAgents.shown.includes(each));
  return { shown, next: shown.length === everythingKept.length ? null : ofAgents.next };
}

/** Places where agents could read our secrets in a process's environment. Empty when agents see only their own processes. */
export async function secretsSeenByAgents(
  mode: IsolationMode,
  secrets: readonly string[],
): Promise<readonly Exposure[]> {
  const { ofAgents } = await whatIsolates(mode);
  return ofAgents.shown.includes("processes") ? [] : exposedSecrets(secrets);
}

function nothing(next: string): IsolationTools {
  const isolation = notIsolatedAtAll(next);
  return { isolation, ofAgents: isolation, tools: null };
}

async function tryHere(): Promise<IsolationTools> {
  if (process.platform !== "linux") return nothing("only Linux has what isolates (bubblewrap)");
  const path = ownPath();
  const bwrap = programIn(path, "bwrap");
  const perl = programIn(path, "perl");
  if (bwrap === null) return nothing("install bubblewrap (apt-get install bubblewrap)");
  if (perl === null) return nothing("install perl");
  const trouble = temporaryTrouble();
  if (trouble !== null) return nothing(`the self-test could not be tried: ${trouble}`);
  const tools = { bwrap, perl, wayOut: programIn(path, "slirp4netns") };
  const [tried, ofAgents, triedOut] = await Promise.all([
    attempt(tools, { type: "none", forwards: [] }, false),
    attempt(tools, { type: "machine" }, true),
    tools.wayOut === null ? null : attempt(tools, { type: "out", forwards: [] }, true),
  ]);
  if (tried.type === "failed") return nothing(whatToSet(tried.said));
  if (ofAgents.type === "failed") return nothing(whatToSet(ofAgents.said));
  const outside = "the self-test could get outside: see docs/isolation.md";
  const isolation = shownBy(tried, outside);
  const isOut = triedOut?.type === "tried" && triedOut.hasWayOut;
  const withoutOut = { ...shownBy(ofAgents, outside), next: whyNoWayOut(tools) };
  const holds = [isolation, withoutOut].every(({ shown }) => shown.includes("files") && shown.includes("processes"));
  return {
    isolation,
    ofAgents: isOut ? shownBy(triedOut, outside) : withoutOut,
    tools: holds ? { ...tools, wayOut: isOut ? tools.wayOut : null } : null,
  };
}

function shownBy({ broken }: Extract<Attempt, { type: "tried" }>, next: string): Isolation {
  const shown = everythingKept.filter((each) => !broken.includes(each));
  return { shown, next: shown.length === everythingKept.length ? null : next };
}

function whyNoWayOut({ wayOut }: Tools): string {
  return wayOut === null
    ? "install slirp4netns (apt-get install slirp4netns)"
    : "slirp4netns does not work here (chmod 666 /dev/net/tun; in a container: --device /dev/net/tun)";
}

type Attempt =
  | { readonly type: "tried"; readonly broken: readonly KeptApart[]; readonly hasWayOut: boolean }
  /** Nothing could be started inside. */
  | { readonly type: "failed"; readonly said: string };

/** Time limit of one self-test. */
const longestTryMs = 15_000;

const trying = readFileSync(fileURLToPath(new URL("self-test.pl", import.meta.url)), "utf8");

async function attempt(tools: Tools, network: Network, isAgents: boolean): Promise<Attempt> {
  const token = `isolation-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), temporaryNames.selfTest));
  const files = [folder, "/usr", "/etc", "/var"].map((each) => join(each, token));
  let isReached = false;
  const server = createServer((socket) => {
    isReached = true;
    socket.destroy();
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const home = homedir();
    const path = ownPath();
    const ofVerification: readonly Mount[] = [
      { type: "devices" },
      ...systemMounts(),
      { type: "empty", at: home },
      ...toolMounts({ path, home }),
    ];
    const mounts = isAgents
      ? [
          ...machineMounts({ dataDir: folder, hidden: [], seen: [] }, { home, path, temporary: null, command: [] }),
          ...stateMounts(home),
        ]
      : ofVerification;
    const enclosing: EnclosureOptions = { tools, mounts, network, isMarked: false };
    const said = await output(enclosing, token, [String(port), ...files]);
    if (!said.includes("tried\n")) return { type: "failed", said };
    const isWritten = files.some((file) => existsSync(file));
    const broken = everythingKept.filter(
      (each) => said.includes(`${each}\n`) || (each === "files" && isWritten) || (each === "network" && isReached),
    );
    return { type: "tried", broken, hasWayOut: said.includes("a way out\n") };
  } finally {
    server.close();
    for (const file of files) rmSync(file, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the output of the self-test. Its guard has the token in its environment, where nobody inside may see it. */
async function output(options: EnclosureOptions, token: string, words: readonly string[]): Promise<string> {
  const start = await startGuarded({
    command: [options.tools.perl, "-e", trying, token, ...words],
    cwd: "/",
    environment: { PATH: ownPath(), COS_RUN: token },
    enclosure: {
      enclose: ({ command }) => encloseWith(options, { command, cwd: "/", environment: { PATH: ownPath() } }),
    },
    stdin: false,
    streams: "merged",
  });
  if (start.type === "not-started") return start.reason;
  const { process: child } = start;
  const said = keepStart(10_000);
  child.stdout.on("data", said.take);
  const limit = setTimeout(() => child.terminate(), longestTryMs);
  await child.exited;
  clearTimeout(limit);
  await child.dead();
  return said.text();
}

/** Converts bubblewrap's error about missing rights into advice. */
function whatToSet(said: string): string {
  const line = said.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  if (/uid map/.test(said)) return `sysctl kernel.apparmor_restrict_unprivileged_userns=0 (${line})`;
  if (/unprivileged_userns_clone/.test(said)) return "sysctl kernel.unprivileged_userns_clone=1";
  if (/new namespace|mount proc|pivot|loopback/.test(said)) {
    return `in a container: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined (${line})`;
  }
  return line === "" ? "bubblewrap (bwrap) says nothing here: see docs/isolation.md" : `bubblewrap says: ${line}`;
}
