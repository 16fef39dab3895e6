import { randomBytes } from "node:crypto";
import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "./bubblewrap.ts";

/** Where the parts of a place lie as its commands see them, where they are shut in. */
export interface Seen {
  readonly project: string;
  readonly objects: string;
  readonly registries: string;
  /** Omitted: the machine's. */
  readonly hostName?: string;
}

const usual: Seen = {
  project: "/workspace/project",
  objects: "/workspace/.objects",
  registries: "/workspace/.settings",
};

/** As usual; or elsewhere, where nothing is called as usual, nor as any other time: who knows these names could look for them. */
export function seenIn(isElsewhere: boolean): Seen {
  if (!isElsewhere) return usual;
  const home = `/home/${newName()}`;
  return {
    project: `${home}/${newName()}/${newName()}`,
    objects: `${home}/.${newName()}`,
    registries: `${home}/.${newName()}`,
    hostName: newName(),
  };
}

/** Six letters. */
function newName(): string {
  return [...randomBytes(6)].map((byte) => String.fromCodePoint(97 + (byte % 26))).join("");
}

/** The machine's list of host names with the one that the place has, laid into `folder`: programs ask for the address of their own. */
export async function layHosts({ hostName }: Seen, folder: string): Promise<readonly Mount[]> {
  const at = "/etc/hosts";
  const found = await lstat(at).catch(() => null);
  if (hostName === undefined || found?.isFile() !== true) return [];
  const from = join(folder, "hosts");
  await writeFile(from, `${await readFile(at, "utf8")}\n127.0.0.1 ${hostName}\n`);
  return [{ type: "read", from, at }];
}
