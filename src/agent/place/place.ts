import { randomBytes } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { folders } from "../../core/housekeeping/folders.ts";
import type { Isolation } from "../../core/isolation/isolation.ts";
import type { Mirror } from "../git/mirror.ts";
import { checkOutAlone, type Overlay } from "../git/own-checkout.ts";
import { removeTree } from "../git/tree.ts";
import { type AgentRoom, type AgentRoomRequest, openAgentRoom } from "./agent-room.ts";
import { type Downloads, keepDownloads, layDownloads } from "./downloads.ts";
import { type IsolationTools, whatIsolates } from "./isolation.ts";
import { layRegistries, registrySettings } from "./registries.ts";
import { layNames, seenIn } from "./seen.ts";
import type { PlaceSettings } from "./settings.ts";
import { type Laid, openRooms, type RoomsOfPlace, shutRooms } from "./verification-rooms.ts";

/**
 * A place (D39): a commit's files in a new directory with a neutral name, an empty HOME and /tmp, and nothing left by anybody. What
 * setup creates in it lasts as long as the place, for all commands that run there.
 */
export interface Place extends RoomsOfPlace {
  /** The path of its files, for us. */
  readonly directory: string;
  readonly isolation: Isolation;
  /** Keeps downloads of its setup for later places of the same repository. Call it only if nothing but the base has run. */
  keepDownloads(): Promise<void>;
  /** Removes everything. Safe to repeat; no process may run in it any more. */
  remove(): Promise<void>;
}

/** The content of a place. */
export interface PlaceRequest {
  /** The owner, for example a goal's id. */
  readonly owner: string;
  /** Places with the same value share downloads, for example a repository's id. */
  readonly repository: string;
  readonly mirror: Mirror;
  readonly commit: string;
  readonly overlay: Overlay;
  /** Refs for commits, such as `refs/remotes/origin/main`. */
  readonly refs: Readonly<Record<string, string>>;
  /** Uses other names than usual for its folders and its machine, to detect work that depends on them. */
  readonly isElsewhere?: boolean;
  /** Files that nothing can write to, where commands are isolated. Anything but plain files is ignored. */
  readonly locked?: readonly string[];
}

/** Creates and removes places, for a turn. */
export interface Places {
  /** What isolates here, tested on first use. */
  isolating(): Promise<IsolationTools>;
  /** Creates a place; two places share nothing. Throws `GitError`, `NoSpace` and errors of the file system. */
  open(request: PlaceRequest): Promise<Place>;
  /** Opens the room of a goal's executor and of its worktree's setup. */
  room(request: AgentRoomRequest): Promise<AgentRoom>;
  /** Removes all places of an owner, which a killed process left. No process may run in them any more. */
  clear(owner: string): Promise<void>;
}

/**
 * Opens the places of this machine, in which agents and commands run. Each owner's files lie in a folder of their own below the data
 * directory.
 */
export function openPlaces(settings: PlaceSettings): Places {
  const folderOf = (owner: string): string => join(settings.dataDir, folders.places, owner);
  return {
    isolating: () => whatIsolates(settings.mode),
    open: (request) => openPlace(settings, request, folderOf(request.owner)),
    room: (request) => openAgentRoom(settings, request),
    async clear(owner) {
      const folder = folderOf(owner);
      for (const name of await readdir(folder).catch(() => [])) await removeEntry(join(folder, name));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openPlace(settings: PlaceSettings, request: PlaceRequest, folder: string): Promise<Place> {
  const isolating = await whatIsolates(settings.mode);
  const { tools, isolation } = isolating;
  const seen = seenIn(request.isElsewhere === true);
  const root = await newRoot(folder, tools !== null);
  const laid: Laid = {
    directory: join(root, basename(seen.project)),
    home: join(root, "home"),
    temporary: join(root, "tmp"),
    registries: join(root, "settings"),
    objects: join(request.mirror.dir, "objects"),
  };
  const downloads = join(settings.dataDir, folders.downloads, request.repository);
  for (const each of [laid.home, laid.temporary, laid.registries]) await mkdir(each);
  let brought: Downloads;
  try {
    brought = await layDownloads(downloads, laid.home);
    const objects = tools === null ? laid.objects : seen.objects;
    await checkOutAlone({ ...request, directory: laid.directory, objects });
  } catch (error) {
    await removeTree(root);
    throw error;
  }
  const seenThere = tools === null ? laid.registries : seen.registries;
  const registries = await layRegistries(registrySettings(homedir()), laid.registries, seenThere);
  const names = await layNames(seen, root);
  const rooms =
    tools === null
      ? openRooms(laid, registries)
      : shutRooms(
          {
            tools,
            settings,
            laid: { ...laid, locked: await filesIn(laid.directory, request.locked ?? []) },
            seen,
            names,
            isolation,
          },
          registries,
        );
  return {
    ...rooms,
    directory: laid.directory,
    isolation,
    keepDownloads: () => keepDownloads(laid.home, downloads, brought),
    remove: () => removeRoot(folder, root),
  };
}

/** Returns the paths of plain files. */
async function filesIn(directory: string, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths)
    if ((await lstat(join(directory, path)).catch(() => null))?.isFile() === true) found.push(path);
  return found;
}

/**
 * Creates a new directory. When nothing isolates, commands see its path. Then it lies among temporary files, under a random name, and
 * the folder has a link to it.
 */
async function newRoot(folder: string, isIsolated: boolean): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = randomBytes(6).toString("hex");
  if (isIsolated) {
    const root = join(folder, name);
    await mkdir(root, { mode: 0o700 });
    return await realpath(root);
  }
  const root = await mkdtemp(join(await realpath(tmpdir()), `${name}-`));
  await symlink(root, join(folder, name));
  return root;
}

async function removeRoot(folder: string, root: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const entry = join(folder, name);
    if ((await realpath(entry).catch(() => entry)) === root) await removeEntry(entry);
  }
  await removeTree(root);
}

async function removeEntry(entry: string): Promise<void> {
  const found = await lstat(entry).catch(() => null);
  if (found?.isSymbolicLink() === true) await removeTree(await readlink(entry));
  if (found?.isSymbolicLink() === true) await rm(entry, { force: true });
  else await removeTree(entry);
}
