import { randomBytes } from "node:crypto";
import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastPart } from "../../core/files/path.ts";
import type { Mount } from "./bubblewrap.ts";

/** The paths of a place's parts inside an isolated command. */
export interface InsidePaths {
  readonly project: string;
  readonly objects: string;
  readonly registries: string;
  /** The machine's host name by default. */
  readonly hostName?: string;
  /** The user of the commands, with name and id; ours by default. */
  readonly user?: { readonly name: string; readonly id: number };
}

const usual: InsidePaths = {
  project: "/workspace/project",
  objects: "/workspace/.objects",
  registries: "/workspace/.settings",
};

/** Returns the usual paths, or random ones that differ each time: code that knows the usual names could look for them. */
export function seenIn(isElsewhere: boolean): InsidePaths {
  if (!isElsewhere) return usual;
  const home = `/home/${newName()}`;
  return {
    project: `${home}/${newName()}/${newName()}`,
    objects: `${home}/.${newName()}`,
    registries: `${home}/.${newName()}`,
    hostName: newName(),
    user: { name: lastPart(home), id: newId() },
  };
}

/** Returns six random letters. */
function newName(): string {
  return [...randomBytes(6)].map((byte) => String.fromCodePoint(97 + (byte % 26))).join("");
}

/** Returns an id that no user of a machine has by default. */
function newId(): number {
  return 20_000 + (randomBytes(2).readUInt16BE() % 20_000);
}

/**
 * Writes the machine's lists of hosts, users and groups, with the place's own entries added, into `folder`. Programs look up their own
 * host's address and their user's name.
 */
export async function layNames({ hostName, user }: InsidePaths, folder: string): Promise<readonly Mount[]> {
  const hosts = hostName === undefined ? "" : `127.0.0.1 ${hostName}\n`;
  const { name, id } = user ?? { name: "", id: 0 };
  const users = user === undefined ? "" : `${name}:x:${id}:${id}::/home/${name}:/bin/sh\n`;
  const groups = user === undefined ? "" : `${name}:x:${id}:\n`;
  const lists = { hosts, passwd: users, group: groups };
  const mounts: Mount[] = [];
  for (const [list, more] of Object.entries(lists)) {
    const at = `/etc/${list}`;
    const found = await lstat(at).catch(() => null);
    if (more === "" || found?.isFile() !== true) continue;
    const from = join(folder, list);
    const text = await readFile(at, "utf8");
    await writeFile(from, `${text}${text.endsWith("\n") ? "" : "\n"}${more}`);
    mounts.push({ type: "read", from, at });
  }
  return mounts;
}
