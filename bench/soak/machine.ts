import { chownSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A machine of a bench: a name, a disk and a user of its own. It shares the processor, the kernel and the network of loopback with
 * the others. Names and users are there only where the bench runs as root; else all machines have this one's name and our user.
 */
export interface Machine {
  readonly name: string;
  /** Null: our own user. */
  readonly uid: number | null;
  readonly home: string;
  readonly dataDir: string;
}

/** Users that nobody has on this machine: they are in no list of it, as in a container. */
const firstUid = 61_800;

/** Makes the disk of a machine below `root`. `number`: which one it is, from 0. */
export function makeMachine(root: string, name: string, number: number): Machine {
  const uid = process.getuid?.() === 0 ? firstUid + number : null;
  const home = join(root, name);
  const machine = { name, uid, home, dataDir: join(home, "data") };
  formatDisk(machine);
  return machine;
}

/** An empty disk in the place of whatever was there, in one moment: what still writes to the old one finds it gone. */
export async function loseDiskOf(machine: Machine): Promise<void> {
  const gone = `${machine.home}.gone`;
  renameSync(machine.home, gone);
  formatDisk(machine);
  while (existsSync(gone)) {
    await rm(gone, { recursive: true, force: true }).catch(() => undefined);
    await sleep(50);
  }
}

function formatDisk({ home, dataDir, uid }: Machine): void {
  for (const folder of [home, dataDir]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (uid !== null) chownSync(folder, uid, uid);
  }
}

/** `sh` becomes the program, which keeps its number. */
const become =
  'hostname "$1" && uid=$2 && shift 2 && exec setpriv --reuid "$uid" --regid "$uid" --clear-groups -- "$@"';

/** How a program is started there. */
export function onMachine(
  machine: Machine | undefined,
  program: string,
  ...args: readonly string[]
): [string, ...string[]] {
  if (machine === undefined || machine.uid === null) return [program, ...args];
  const { name, uid } = machine;
  return ["unshare", "--uts", "sh", "-c", become, "sh", name, String(uid), program, ...args];
}
