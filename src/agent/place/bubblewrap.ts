import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Enclosed, StartOptions } from "../process/guarded-process.ts";

/**
 * Builds a command line for bubblewrap (bwrap(1)): own namespaces for users, processes, network, IPC and host name, no capabilities,
 * and only the files in `mounts`. Everything inside ends with bubblewrap.
 */

/** One step in the layout of files inside; a later one covers an earlier one. `at` is a path inside. */
export type Mount =
  | { readonly type: "read" | "write"; readonly from: string; readonly at: string }
  /** Left out when it does not exist. */
  | { readonly type: "read-if-there"; readonly from: string; readonly at: string }
  | { readonly type: "empty"; readonly at: string }
  | { readonly type: "link"; readonly to: string; readonly at: string }
  /** A small private /dev. */
  | { readonly type: "devices" };

export interface EnclosureOptions {
  readonly tools: Tools;
  readonly mounts: readonly Mount[];
  readonly network: Network;
  /**
   * True when the first process inside carries our mark, like everything that runs there. So calls from inside are distinguished from
   * others.
   */
  readonly isMarked: boolean;
  /** The machine's host name by default. */
  readonly hostName?: string;
  /** Id of the user and group of the command; ours by default. */
  readonly userId?: number;
}

/** The programs that isolate a command. */
export interface Tools {
  readonly bwrap: string;
  readonly perl: string;
  /** slirp4netns, which connects a private network to the outside. Null when it is missing or does not work here. */
  readonly wayOut: string | null;
}

export type Network =
  /** Only a private loopback, and the forwards on it. */
  | { readonly type: "none"; readonly forwards: readonly Forward[] }
  /** The machine's network, with everything the machine reaches, itself included. */
  | { readonly type: "machine" }
  /** A network to the outside. On this machine it reaches only these forwards. */
  | { readonly type: "out"; readonly forwards: readonly Forward[] };

/** A loopback address inside that is forwarded to a socket, which a process outside answers. */
export interface Forward {
  /** An address in 127.0.0.0/8. */
  readonly address: string;
  readonly port: number;
  readonly socket: string;
}

function programText(name: string): string {
  const text = readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
  return text.slice(text.indexOf("use strict;"));
}

const outside = programText("outside.pl");
const inside = programText("inside.pl");

/**
 * Returns the command that runs another command inside, in `cwd` there and with exactly `environment`. The arguments of bubblewrap go
 * through a pipe, so they are in no environment and no argument list that others can read.
 */
export function encloseWith(
  { tools, mounts, network, isMarked, hostName, userId }: EnclosureOptions,
  { command, cwd, environment }: Pick<StartOptions, "command" | "cwd" | "environment">,
): Enclosed {
  const { bwrap, perl, wayOut } = tools;
  const shared = network.type === "machine" ? ["--share-net"] : [];
  const forwards = network.type === "machine" ? [] : network.forwards;
  // Allows a port below 1024 on the private loopback, and nothing else.
  const low = forwards.some(({ port }) => port < 1024) ? ["--cap-add", "CAP_NET_BIND_SERVICE"] : [];
  const apart = ["--unshare-all", ...shared, "--die-with-parent", "--cap-drop", "ALL", ...low];
  const called = hostName === undefined ? [] : ["--hostname", hostName];
  const user = userId === undefined ? [] : ["--uid", String(userId), "--gid", String(userId)];
  const files = [...mounts.flatMap(argumentsOf), "--proc", "/proc", ...settingsOfKernel(), "--chdir", cwd];
  const variables = Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]);
  const given = [...apart, ...called, ...user, ...files, "--clearenv", ...variables];
  const gate = network.type === "out" ? (wayOut ?? "") : "";
  const led = forwards.map(({ address, port, socket }) => `${address}:${port}=${socket}`);
  const start = [perl, "-e", outside, isMarked ? "marked" : "", gate, bwrap];
  return {
    command: [...start, perl, inside, led.join(","), ...command],
    feed: given.map((each) => `${each}\0`).join(""),
  };
}

/** /proc has more than processes: with root outside too, a command could change kernel settings for everybody. */
function settingsOfKernel(): string[] {
  const there = (names: string): string[] =>
    names.split(" ").flatMap((name) => (existsSync(`/proc/${name}`) ? [`/proc/${name}`] : []));
  return [
    ...there("bus driver fs irq mtrr pressure sys sysrq-trigger sysvipc tty").flatMap((at) => ["--ro-bind", at, at]),
    ...there("acpi asound scsi").flatMap((at) => ["--tmpfs", at]),
    ...there("kcore keys latency_stats sched_debug timer_list").flatMap((at) => ["--ro-bind", "/dev/null", at]),
  ];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.type) {
    case "read":
      return ["--ro-bind", mount.from, mount.at];
    case "read-if-there":
      return ["--ro-bind-try", mount.from, mount.at];
    case "write":
      return ["--bind", mount.from, mount.at];
    case "empty":
      return ["--tmpfs", mount.at];
    case "devices":
      return ["--dev", "/dev"];
    case "link":
      return ["--symlink", mount.to, mount.at];
  }
}
