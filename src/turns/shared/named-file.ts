import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { fileTrouble } from "../../core/errors.ts";

/** Files of this machine that people name. They may be of any kind, even endless devices. */

export type NamedFile =
  | { readonly type: "read"; readonly content: Buffer }
  /** `why`: such as "there is no such file". */
  | { readonly type: "unread"; readonly why: string };

/** Maximum sizes in bytes: of a text, and of a list of goals. */
export const longestFile = 1_000_000;
export const longestList = 20_000_000;

/** Reads a file, or standard input when `path` is null. Reads only little more than `mostBytes`. Never rejects. */
export async function readNamedFile(path: string | null, mostBytes: number): Promise<NamedFile> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const source: Readable = path === null ? process.stdin : createReadStream(path);
    for await (const chunk of source) {
      const piece = Buffer.from(chunk);
      bytes += piece.byteLength;
      if (bytes > mostBytes) return { type: "unread", why: `it has more than ${mostBytes} bytes` };
      chunks.push(piece);
    }
  } catch (error) {
    return { type: "unread", why: fileTrouble(error, "read") };
  }
  return { type: "read", content: Buffer.concat(chunks) };
}
