import { webApi } from "@slack/bolt";
import type { PictureUnderWay } from "../../core/cards/picture.ts";
import { shorten } from "../../core/text.ts";
import type { EarlierPicture, NotNow, PostOutcome } from "../platform.ts";
import { adviceFor, errorWord, troubleOf } from "./clients.ts";
import { limits } from "./limits.ts";

/**
 * A picture as a file in a thread. Slack takes it in three steps: an upload address, the bytes, and "complete". Only the last step shows
 * it, some seconds after its answer, and the answer does not say where. Slack completes a file once: completing the same file again does
 * not show it twice.
 */
export interface Upload {
  readonly channel: string;
  readonly threadTs: string | null;
  /** The file name, by which the message is found again: see `pictureName`. */
  readonly name: string;
  readonly title: string;
  /** A description, for people who cannot see the picture. */
  readonly words: string;
  readonly draw: () => Promise<Buffer>;
  /** What an earlier attempt has uploaded. */
  readonly earlier: EarlierPicture | undefined;
  readonly keep: (underWay: PictureUnderWay) => Promise<void>;
}

export type UploadOutcome = { readonly type: "uploaded" } | Exclude<PostOutcome, { type: "shown" }>;

/** Returns the file name for a post: it contains the post's key. */
export function pictureName(key: string): string {
  return `${key}.png`;
}

/**
 * Uploads and shares a picture, or continues where an earlier attempt stopped. Only a failure of the last step can leave the picture
 * shown.
 */
export async function uploadPicture(client: webApi.WebClient, upload: Upload): Promise<UploadOutcome> {
  const { earlier } = upload;
  if (earlier === undefined) return await uploadAnew(client, upload);
  const outcome = await share(client, upload, earlier.id);
  if (outcome.type !== "rejected" || outcome.reason !== unknownFile) return outcome;
  if (!earlier.mayBeShown) return await uploadAnew(client, upload);
  // The earlier share was carried out; only its answer was lost.
  await upload.keep({ id: earlier.id, isTaken: true });
  return { type: "uploaded" };
}

/** Slack's error for a file that was never uploaded, no longer exists, or was already completed. */
const unknownFile = "file_not_found";

async function uploadAnew(client: webApi.WebClient, upload: Upload): Promise<UploadOutcome> {
  let png: Buffer;
  try {
    png = await upload.draw();
  } catch (error) {
    return { type: "rejected", reason: `the picture cannot be drawn: ${String(error)}`.slice(0, 500) };
  }
  let id: string;
  try {
    id = await transfer(client, upload, png);
  } catch (error) {
    const trouble = troubleOfUpload(error);
    return trouble.type === "retry" ? { ...trouble, mayBeShown: false } : trouble;
  }
  await upload.keep({ id, isTaken: false });
  return await share(client, upload, id);
}

async function share(client: webApi.WebClient, upload: Upload, id: string): Promise<UploadOutcome> {
  const { channel, threadTs, title } = upload;
  try {
    const place = threadTs === null ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
    await client.files.completeUploadExternal({ files: [{ id, title }], ...place });
  } catch (error) {
    return troubleOfUpload(error);
  }
  await upload.keep({ id, isTaken: true });
  return { type: "uploaded" };
}

/** Deletes an uploaded file, so that it does not appear beside the words shown instead. Failure is ignored. */
export async function takeBack(client: webApi.WebClient, { id }: PictureUnderWay): Promise<void> {
  await client.files.delete({ file: id }).catch(() => undefined);
}

const uploadTimeoutMs = 10_000;

/** Uploads the bytes and returns the file's id. */
async function transfer(client: webApi.WebClient, { name, words }: Upload, png: Buffer): Promise<string> {
  const alt = shorten(words, limits.altText);
  const given = await client.files.getUploadURLExternal({ filename: name, length: png.length, alt_text: alt });
  if (given.upload_url === undefined || given.file_id === undefined)
    throw new UploadError("no address to upload to", null);
  const response = await fetch(given.upload_url, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(png),
    signal: AbortSignal.timeout(uploadTimeoutMs),
  }).catch((error: unknown) => {
    throw new UploadError(error instanceof Error ? error.message : String(error), null);
  });
  if (response.ok) return given.file_id;
  const isLimited = response.status === 429;
  throw new UploadError(`answered ${response.status}`, isLimited ? Number(response.headers.get("retry-after")) : null);
}

/** The bytes could not be uploaded. */
class UploadError extends Error {
  /** Null when the reason was not a rate limit. */
  readonly retryAfterSeconds: number | null;

  constructor(reason: string, retryAfterSeconds: number | null) {
    super(`the upload: ${reason}`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Errors for files that a workspace forbids although it allows messages. The words are shown instead, and nothing waits. */
const refusedUploads: readonly string[] = [
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "restricted_action",
  "access_denied",
];

/** Errors after which Slack asks for a retry: the file may be shared or not. */
const sharingFailed: readonly string[] = ["file_update_failed", "file_upload_failed"];

function troubleOfUpload(error: unknown): Exclude<UploadOutcome, { type: "uploaded" }> {
  if (error instanceof UploadError) return troubleOfBytes(error);
  const word = errorWord(error);
  if (error instanceof webApi.WebAPIPlatformError && sharingFailed.includes(word)) return failed(word, true);
  if (error instanceof webApi.WebAPIPlatformError && refusedUploads.includes(word)) {
    const advice = adviceFor(word);
    return { type: "rejected", reason: advice === null ? word : `files:write ${word}: ${advice}` };
  }
  return troubleOf(error);
}

function troubleOfBytes({ retryAfterSeconds, message }: UploadError): NotNow {
  if (retryAfterSeconds === null) return failed(message, false);
  const seconds = Number.isFinite(retryAfterSeconds) ? Math.max(retryAfterSeconds, 1) : 1;
  return { type: "retry", why: "limit", afterMs: seconds * 1000, reason: message, mayBeShown: false };
}

function failed(reason: string, mayBeShown: boolean): NotNow {
  return { type: "retry", why: "failed", afterMs: 1000, reason, mayBeShown };
}
