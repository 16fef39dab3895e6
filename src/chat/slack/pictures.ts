import { webApi } from "@slack/bolt";
import { shorten } from "../../core/text.ts";
import type { NotNow, PostOutcome } from "../platform.ts";
import { adviceFor, errorWord, troubleOf } from "./clients.ts";
import { limits } from "./limits.ts";

/**
 * Pictures as files of a thread. Slack takes one in three steps: an address to upload to, the bytes, and "complete",
 * which is the only one that shows it; that happens some seconds after its answer, and the answer does not say where.
 */
export interface Upload {
  readonly channel: string;
  readonly threadTs: string | null;
  /** By which the message is found again: see `pictureName`. */
  readonly name: string;
  readonly title: string;
  /** What it shows, for those who do not see it. */
  readonly words: string;
  readonly png: Buffer;
}

export type UploadOutcome = { readonly type: "uploaded" } | Exclude<PostOutcome, { type: "shown" }>;

/** The file of a post: its name carries the post's key. */
export function pictureName(key: string): string {
  return `${key}.png`;
}

/** Uploads and shares a picture. Only a trouble of the last step may mean that it is shown. */
export async function uploadPicture(client: webApi.WebClient, upload: Upload): Promise<UploadOutcome> {
  let id: string;
  try {
    id = await transfer(client, upload);
  } catch (error) {
    const trouble = troubleOfUpload(error);
    return trouble.type === "retry" ? { ...trouble, mayBeShown: false } : trouble;
  }
  const { channel, threadTs, title } = upload;
  try {
    const place = threadTs === null ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
    await client.files.completeUploadExternal({ files: [{ id, title }], ...place });
    return { type: "uploaded" };
  } catch (error) {
    return troubleOfUpload(error);
  }
}

const uploadTimeoutMs = 10_000;

/** Puts the bytes where Slack wants them; the file's id. */
async function transfer(client: webApi.WebClient, { name, words, png }: Upload): Promise<string> {
  const alt = shorten(words, limits.altText);
  const given = await client.files.getUploadURLExternal({ filename: name, length: png.length, alt_text: alt });
  if (given.upload_url === undefined || given.file_id === undefined)
    throw new UploadError("no address to upload to", 0);
  const response = await fetch(given.upload_url, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(png),
    signal: AbortSignal.timeout(uploadTimeoutMs),
  }).catch((error: unknown) => {
    throw new UploadError(error instanceof Error ? error.message : String(error), 0);
  });
  if (response.ok) return given.file_id;
  throw new UploadError(`answered ${response.status}`, Number(response.headers.get("retry-after") ?? 0));
}

/** The bytes did not arrive. */
class UploadError extends Error {
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds: number) {
    super(`the upload: ${reason}`);
    this.retryAfterSeconds = Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : 0;
  }
}

/** What a workspace may forbid about files while messages are fine: the words are shown instead, nothing waits for it. */
const refusedUploads: readonly string[] = [
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "restricted_action",
  "access_denied",
];

function troubleOfUpload(error: unknown): Exclude<UploadOutcome, { type: "uploaded" }> {
  if (error instanceof UploadError) return again(Math.max(error.retryAfterSeconds * 1000, 1000), error.message);
  const word = errorWord(error);
  if (error instanceof webApi.WebAPIPlatformError && refusedUploads.includes(word)) {
    const advice = adviceFor(word);
    return { type: "rejected", reason: advice === null ? word : `files:write ${word}: ${advice}` };
  }
  return troubleOf(error);
}

function again(afterMs: number, reason: string): NotNow {
  return { type: "retry", afterMs, reason, mayBeShown: false, mayBePoisoned: true };
}
