import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Enclosed, StartOptions } from "../process/guarded-process.ts";

/**
 * A command line of bubblewrap (bwrap(1)): namespaces of its own for users, processes, network, IPC and host name, no
 * capabilities, and of the files of this machine only what `mounts` say. Everything inside ends with it.
 */

/** One step of how the files inside are put together; a later one covers an earlier one. `at` is a path inside. */
export type Mount =
  | { readonly type: "read" | "write"; readonly from: string; readonly at: string }
  /** Left out where it does not exist. */
  | { readonly type: "read-if-there"; readonly from: string; readonly at: string }
  | { readonly type: "empty"; readonly at: string }
  | { readonly type: "link"; readonly to: string; readonly at: string }
  /** A small /dev of its own. */
  | { readonly type: "devices" };

export interface EnclosureOptions {
  readonly tools: Tools;
  readonly mounts: readonly Mount[];
  readonly network: Network;
  /** Whether the first process inside says whose it is, as everything that runs there does: what it calls is then told from others. */
  readonly isMarked: boolean;
  /** The machine's, where it is left out. */
  readonly hostName?: string;
  /** As which user and group it runs; ours, where it is left out. */
  readonly userId?: number;
}

/** The programs that shut a command in. */
export interface Tools {
  readonly bwrap: string;
  readonly perl: string;
  /** slirp4netns, which gives a network of its own a way out; null: there is none, or it does not work here. */
  readonly wayOut: string | null;
}

export type Network =
  /** Nothing but a loopback of its own, and what is led through it. */
  | { readonly type: "none"; readonly forwards: readonly Forward[] }
  /** The machine's: everything that the machine reaches, itself too. */
  | { readonly type: "machine" }
  /** A way out that leads nowhere on this machine but through these. */
  | { readonly type: "out"; readonly forwards: readonly Forward[] };

/** Who calls this address of the loopback inside is led to a socket, which somebody outside answers. */
export interface Forward {
  /** In 127.0.0.0/8. */
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
 * How a command is started so that it runs inside, in `cwd` there and with exactly `environment`. What it is given
 * goes through a pipe, and stands neither in an environment nor in a list of arguments that others read.
 */
export function encloseWith(
  { tools, mounts, network, isMarked, hostName, userId }: EnclosureOptions,
  { command, cwd, environment }: Pick<StartOptions, "command" | "cwd" | "environment">,
): Enclosed {
  const { bwrap, perl, wayOut } = tools;
  const shared = network.type === "machine" ? ["--share-net"] : [];
  const forwards = network.type === "machine" ? [] : network.forwards;
  // A port below 1024 of its own loopback, and nothing else.
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

/** In /proc lies more than processes: whoever is root outside, too, could change how the kernel works for everybody. */
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
