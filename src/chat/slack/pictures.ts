import { webApi } from "@slack/bolt";
import type { PictureUnderWay } from "../../core/cards/picture.ts";
import { shorten } from "../../core/text.ts";
import type { EarlierPicture, NotNow, PostOutcome } from "../platform.ts";
import { adviceFor, errorWord, troubleOf } from "./clients.ts";
import { limits } from "./limits.ts";

/**
 * Pictures as files of a thread. Slack takes one in three steps: an address to upload to, the bytes, and "complete",
 * which is the only one that shows it; that happens some seconds after its answer, and the answer does not say where.
 * Slack completes a file once: as long as the same file is completed again, it is shown once.
 */
export interface Upload {
  readonly channel: string;
  readonly threadTs: string | null;
  /** By which the message is found again: see `pictureName`. */
  readonly name: string;
  readonly title: string;
  /** What it shows, for those who do not see it. */
  readonly words: string;
  readonly draw: () => Promise<Buffer>;
  /** What an earlier attempt has uploaded. */
  readonly earlier: EarlierPicture | undefined;
  readonly keep: (underWay: PictureUnderWay) => Promise<void>;
}

export type UploadOutcome = { readonly type: "uploaded" } | Exclude<PostOutcome, { type: "shown" }>;

/** The file of a post: its name carries the post's key. */
export function pictureName(key: string): string {
  return `${key}.png`;
}

/**
 * Uploads and shares a picture, or goes on where an earlier attempt stopped. Only a trouble of the last step may mean
 * that it is shown.
 */
export async function uploadPicture(client: webApi.WebClient, upload: Upload): Promise<UploadOutcome> {
  const { earlier } = upload;
  if (earlier === undefined) return await uploadAnew(client, upload);
  const outcome = await share(client, upload, earlier.id);
  if (outcome.type !== "rejected" || outcome.reason !== unknownFile) return outcome;
  if (!earlier.mayBeShown) return await uploadAnew(client, upload);
  // The share whose answer was lost was carried out.
  await upload.keep({ id: earlier.id, isTaken: true });
  return { type: "uploaded" };
}

/** Slack's word for a file that was never uploaded, is not kept any more, or was completed before. */
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

/** Takes back what was uploaded, so that it does not appear beside the words that are shown instead. May be in vain. */
export async function takeBack(client: webApi.WebClient, { id }: PictureUnderWay): Promise<void> {
  await client.files.delete({ file: id }).catch(() => undefined);
}

const uploadTimeoutMs = 10_000;

/** Puts the bytes where Slack wants them; the file's id. */
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

/** The bytes did not arrive. */
class UploadError extends Error {
  /** Null: not because of a limit. */
  readonly retryAfterSeconds: number | null;

  constructor(reason: string, retryAfterSeconds: number | null) {
    super(`the upload: ${reason}`);
    this.retryAfterSeconds = retryAfterSeconds;
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

/** Words that Slack asks to try again after: it may have shared the file, or not. */
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
