import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Enclosed, Starting } from "../process/guard.ts";

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
  | { readonly type: "link"; readonly to: string; readonly at: string };

export interface Enclosing {
  readonly bwrap: string;
  readonly perl: string;
  readonly mounts: readonly Mount[];
  /** Whether the machine's network is there; without it there is a loopback of its own. */
  readonly hasNetwork: boolean;
}

const firstProgram = readFileSync(fileURLToPath(new URL("inside.pl", import.meta.url)), "utf8")
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .join("\n");

/**
 * How a command is started so that it runs inside, in `cwd` there and with exactly `environment`. What it is given
 * goes through a pipe, and stands neither in an environment nor in a list of arguments that others read.
 */
export function encloseWith(
  { bwrap, perl, mounts, hasNetwork }: Enclosing,
  { command, cwd, environment }: Pick<Starting, "command" | "cwd" | "environment">,
): Enclosed {
  const given = [
    ...["--unshare-all", ...(hasNetwork ? ["--share-net"] : []), "--die-with-parent", "--cap-drop", "ALL"],
    ...["--dev", "/dev", ...mounts.flatMap(argumentsOf)],
    ...["--proc", "/proc", "--chdir", cwd, "--clearenv"],
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
  // The shell's trap is inherited: asked to end, bubblewrap stays until what it holds has ended (inside.pl).
  const start = ["/bin/sh", "-c", `trap "" TERM; exec env -i "$@"`, "sh", bwrap, "--args", "4", "--"];
  return { command: [...start, perl, "-e", firstProgram, ...command], feed: given.map((each) => `${each}\0`).join("") };
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
    case "link":
      return ["--symlink", mount.to, mount.at];
  }
}
