import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  RequestError,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import { confine } from "./confine.ts";

const largestFile = 10 * 1024 * 1024;

/** ACP `fs/read_text_file`, confined to the worktree. Throws `RequestError`, which the agent gets as its answer. */
export async function readAgentFile(worktree: string, request: ReadTextFileRequest): Promise<ReadTextFileResponse> {
  const path = await insideOrRefuse(worktree, request.path);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw RequestError.resourceNotFound(request.path);
  if (found.size > largestFile) throw RequestError.invalidParams(undefined, `larger than ${largestFile} bytes`);
  const text = await readFile(path, "utf8");
  if (request.line === undefined && request.limit === undefined) return { content: text };

  const first = Math.max(0, (request.line ?? 1) - 1); // Lines count from 1.
  const lines = text.split("\n");
  return { content: lines.slice(first, request.limit == null ? undefined : first + request.limit).join("\n") };
}

/** ACP `fs/write_text_file`, confined to the worktree; missing folders are made. Throws `RequestError`. */
export async function writeAgentFile(worktree: string, request: WriteTextFileRequest): Promise<void> {
  const path = await insideOrRefuse(worktree, request.path);
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw RequestError.invalidParams(undefined, `${request.path} is not a file`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, request.content);
}

async function insideOrRefuse(worktree: string, path: string): Promise<string> {
  const confined = path.includes("\0") ? null : await confine(worktree, path);
  if (confined === null || !confined.isInside) {
    throw RequestError.invalidParams(undefined, `${path} is outside the working directory`);
  }
  if (/^\.git(?:\/|$)/.test(confined.shown)) {
    throw RequestError.invalidParams(undefined, `${path} belongs to git`);
  }
  return confined.real;
}
