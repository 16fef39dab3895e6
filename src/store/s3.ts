import { AwsClient } from "aws4fetch";
import { noRest } from "../core/store-rest.ts";
import { longestStored, type StoreSettings } from "../core/store-settings.ts";
import { StoreError } from "../core/store-error.ts";
import type { Store } from "./store.ts";

/** Timeout until a response begins, in milliseconds. The body gets additional time, as much as it needs on a slow connection. */
const longestAnswerMs = 20_000;
const slowestBytesPerMs = 250;
/** Content that cannot be compressed becomes a little longer. */
const mostBytes = longestStored + 1024 * 1024;

/** A bucket of an S3-compatible store: plain GET, PUT and DELETE with signatures of version 4, path-style addresses. */
export function openBucket({ address, region, key, secret }: Extract<StoreSettings, { type: "s3" }>): Store {
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: "s3", retries: 0 });
  const { host } = new URL(address);

  async function ask(method: "GET" | "PUT" | "DELETE", file: string, body?: Buffer): Promise<Response | null> {
    const url = `${address}/${file.split("/").map(encodeURIComponent).join("/")}`;
    const line = new AbortController();
    const hurry = endAfter(line, longestAnswerMs + longestBodyMs(body?.length ?? 0));
    // A signature is for one host: redirects are not followed.
    const init = {
      method,
      signal: line.signal,
      redirect: "manual" as const,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    };
    const answer = await client.fetch(url, init).catch((error: unknown) => silent(error));
    hurry.end();
    endAfter(line, longestAnswerMs + longestBodyMs(Number(answer.headers.get("content-length") ?? 0)));
    if (answer.ok) return answer;
    const said = /<Code>([\w.]{1,60})<\/Code>/.exec(await beginningOf(answer))?.[1];
    // A missing bucket is 404 too.
    if (answer.status === 404 && method !== "PUT" && (said === undefined || said === "NoSuchKey")) return null;
    throw new StoreError(`the store at ${host} answered ${answer.status}${said === undefined ? "" : ` ${said}`}`);
  }

  function silent(cause: unknown): never {
    throw new StoreError(`the store at ${host} does not answer: ${reasonOf(cause)}`, { cause, isSilent: true });
  }

  return {
    name: `the store at ${host}`,
    rest: noRest,
    async put(file, content) {
      const answer = await ask("PUT", file, content);
      await answer?.body?.cancel();
    },
    async get(file) {
      const answer = await ask("GET", file);
      if (answer === null) return null;
      // Too large to be ours: treated as missing.
      if (Number(answer.headers.get("content-length") ?? 0) > mostBytes) {
        await answer.body?.cancel();
        return null;
      }
      const { bytes, isWhole } = await readUpTo(answer, mostBytes).catch((error: unknown) => silent(error));
      return isWhole ? bytes : null;
    },
    async remove(file) {
      const answer = await ask("DELETE", file);
      await answer?.body?.cancel();
    },
  };
}

/** Reads a body. When it is longer than `most` bytes, stops reading and returns what was read so far: it may have no length in its header. */
async function readUpTo(
  answer: Response,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

/** The first characters of an error's body. Empty when it cannot be read. */
async function beginningOf(answer: Response): Promise<string> {
  const most = 4_000;
  const read = await readUpTo(answer, most).catch(() => null);
  return read === null ? "" : read.bytes.toString("utf8", 0, most);
}

/** Aborts the request after `ms`, unless `end` is called before. */
function endAfter(line: AbortController, ms: number): { readonly end: () => void } {
  const timer = setTimeout(() => line.abort(new Error(`no end after ${Math.round(ms / 1000)} s`)), ms).unref();
  return { end: () => clearTimeout(timer) };
}

function longestBodyMs(bytes: number): number {
  return Math.ceil(bytes / slowestBytesPerMs);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
