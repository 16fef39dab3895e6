import { AwsClient } from "aws4fetch";
import { noRest } from "../core/store-rest.ts";
import type { StoreSettings } from "../core/store-settings.ts";
import { StoreError } from "../core/store-error.ts";
import type { Store } from "./store.ts";

const longestAnswerMs = 20_000;
/** More than any output that is kept. */
const mostBytes = 16 * 1024 * 1024;

/** A bucket of an S3-compatible store: plain GET, PUT and DELETE with signatures of version 4, addresses by path. */
export function openBucket({ address, region, key, secret }: Extract<StoreSettings, { type: "s3" }>): Store {
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: "s3", retries: 0 });
  const { host } = new URL(address);

  async function ask(method: "GET" | "PUT" | "DELETE", file: string, body?: Buffer): Promise<Response | null> {
    const url = `${address}/${file.split("/").map(encodeURIComponent).join("/")}`;
    const signal = AbortSignal.timeout(longestAnswerMs);
    // A signature is for one host: what leads elsewhere is not followed.
    const init = {
      method,
      signal,
      redirect: "manual" as const,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    };
    const answer = await client.fetch(url, init).catch((error: unknown) => {
      throw new StoreError(`the store at ${host} does not answer: ${reasonOf(error)}`, {
        cause: error,
        isSilent: true,
      });
    });
    if (answer.ok) return answer;
    const said = /<Code>([\w.]{1,60})<\/Code>/.exec((await answer.text().catch(() => "")).slice(0, 4_000))?.[1];
    // A bucket that is not there is 404 too.
    if (answer.status === 404 && method !== "PUT" && (said === undefined || said === "NoSuchKey")) return null;
    throw new StoreError(`the store at ${host} answered ${answer.status}${said === undefined ? "" : ` ${said}`}`);
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
      if (Number(answer.headers.get("content-length") ?? 0) > mostBytes)
        throw new StoreError(`the store at ${host} has more under ${file} than was put there`);
      return Buffer.from(await answer.arrayBuffer());
    },
    async remove(file) {
      const answer = await ask("DELETE", file);
      await answer?.body?.cancel();
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
