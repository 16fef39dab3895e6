import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import {
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  RequestError,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import { openAlong, placeIn } from "../process/opened-folders.ts";
import { confine } from "./confine.ts";

const largestFile = 10 * 1024 * 1024;

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** ACP `fs/read_text_file`, confined to the worktree. Throws `RequestError`, which the agent gets as its answer. */
export async function readAgentFile(worktree: string, request: ReadTextFileRequest): Promise<ReadTextFileResponse> {
  const place = await insideOrRefuse(worktree, request.path);
  const file = await openInside(place, O_RDONLY).catch(() => null);
  if (file === null) throw RequestError.resourceNotFound(request.path);
  const text = await withFile(file, async (size) => {
    if (size === null) throw RequestError.resourceNotFound(request.path);
    if (size > largestFile) throw RequestError.invalidParams(undefined, `larger than ${largestFile} bytes`);
    // Reads at most the checked size, though the file may grow meanwhile.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString("utf8", 0, bytesRead);
  });
  if (request.line === undefined && request.limit === undefined) return { content: text };

  const first = Math.max(0, (request.line ?? 1) - 1); // Lines are numbered from 1.
  const lines = text.split("\n");
  return { content: lines.slice(first, request.limit == null ? undefined : first + request.limit).join("\n") };
}

/** ACP `fs/write_text_file`, confined to the worktree. Creates missing folders. Throws `RequestError`, or the file system's error. */
export async function writeAgentFile(worktree: string, request: WriteTextFileRequest): Promise<void> {
  const place = await insideOrRefuse(worktree, request.path);
  const file = await openInside(place, O_WRONLY | O_CREAT).catch((error: unknown) => {
    if (isNoFile(error)) throw RequestError.invalidParams(undefined, `${request.path} is not a file`);
    throw error;
  });
  await withFile(file, async (size) => {
    if (size === null) throw RequestError.invalidParams(undefined, `${request.path} is not a file`);
    await file.truncate(0);
    await file.writeFile(request.content);
  });
}

/** A file in a worktree. Both paths are absolute, and had no links when they were checked. */
interface Place {
  readonly root: string;
  readonly real: string;
}

/**
 * Opens a file folder by folder, each relative to the one opened before, and follows no link: the agent may replace a folder with a
 * link between two of our checks. With `O_CREAT` missing folders are created. Rejects with the file system's error.
 */
async function openInside({ root, real }: Place, flags: number): Promise<FileHandle> {
  const folders = relative(root, dirname(real)).split(sep).filter(Boolean);
  const at = await openAlong(root, folders, async (folder, name) => {
    if ((flags & O_CREAT) !== 0) await mkdir(placeIn(folder, name)).catch(() => undefined);
  });
  try {
    return await open(placeIn(at, basename(real)), flags | O_NOFOLLOW | O_NONBLOCK);
  } finally {
    await at.handle.close();
  }
}

/** Calls `use` with the size of a plain file, or with null for anything else, then closes the file. */
async function withFile<Result>(file: FileHandle, use: (size: number | null) => Promise<Result>): Promise<Result> {
  try {
    const found = await file.stat();
    return await use(found.isFile() ? found.size : null);
  } finally {
    await file.close();
  }
}

/** True for errors of a path that is a folder, a link, or a pipe without a reader. */
function isNoFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:EISDIR|ELOOP|ENOTDIR|ENXIO)$/.test(String(error.code));
}

async function insideOrRefuse(worktree: string, path: string): Promise<Place> {
  const confined = path.includes("\0") ? null : await confine(worktree, path);
  if (confined === null || !confined.isInside) {
    throw RequestError.invalidParams(undefined, `${path} is outside the working directory`);
  }
  if (/^\.git(?:\/|$)/.test(confined.shown)) {
    throw RequestError.invalidParams(undefined, `${path} belongs to git`);
  }
  const { root, real } = confined;
  return { root, real };
}
