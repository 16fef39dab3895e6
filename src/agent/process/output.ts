import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { safeAfter, safeBefore, safePart, safeRest } from "../../core/secrets/mask.ts";
import type { KeptOutput } from "./runner.ts";

/** Number of bytes kept of the start, and of the end, of an output. */
const keptBytes = 512 * 1024;

/** Number of bytes read beyond a border, so that a secret across it is seen whole. */
const marginBytes = 64 * 1024;

/** Pending text is checked again when it has grown by this many characters, or a line has ended. */
const lookAgain = 4_096;

const tailLength = 8_000;

/** Takes the bytes of one child. `take` and `finish` never throw: a full disk costs the file, not the run. */
export interface OutputKeeper {
  take(chunk: Buffer): void;
  /** Writes the rest. Null when the file could not be written. Call once. */
  finish(): KeptOutput | null;
  /** The error of the file, after `finish`; null when there was none. */
  broken(): Error | null;
}

/**
 * Keeps the first and the last 512 kB of a child's output in `file`, masked. The start is written at once, line by line. The end is
 * held in memory (at most about 1.2 MB) and written by `finish`, after a line that says how much was left out. `onText` gets the text
 * of the start only: it is for progress.
 */
export function keepOutput(options: {
  readonly file: string;
  readonly secrets: readonly string[];
  readonly onText?: ((text: string) => void) | undefined;
}): OutputKeeper {
  const { secrets } = options;
  const file = openFile(options.file);
  const decoder = new TextDecoder();
  let bytes = 0;
  let pending = "";
  /** State of the last check of the pending text: its length, and whether it holds back whole lines. */
  let seen = 0;
  let holdsLines = false;
  let recent = "";
  /** The bytes after the first 512 kB, as far as the margin reaches. */
  const following: Buffer[] = [];
  let followingBytes = 0;
  /** The bytes after the first 512 kB: all of them, or at least the last 512 kB and a margin. */
  let later: Buffer[] = [];
  let laterBytes = 0;

  function write(text: string): void {
    if (text === "") return;
    file.write(text);
    recent = (recent + text).slice(-tailLength);
  }

  function takeStart(chunk: Buffer): void {
    const more = decoder.decode(chunk, { stream: true });
    pending += more;
    const hasLine = more.includes("\n") && !holdsLines;
    if (!hasLine && pending.length - seen < lookAgain) return;
    const part = safePart(pending, secrets);
    pending = part.rest;
    seen = pending.length;
    holdsLines = pending.includes("\n");
    write(part.text);
    if (part.text !== "") options.onText?.(part.text);
  }

  function takeLater(chunk: Buffer): void {
    if (followingBytes < marginBytes) {
      following.push(chunk.subarray(0, marginBytes));
      followingBytes += chunk.length;
    }
    later.push(chunk);
    laterBytes += chunk.length;
    // Cut only at twice the limit, so that each byte is copied about once.
    if (laterBytes < 2 * (keptBytes + marginBytes)) return;
    const end = Buffer.from(Buffer.concat(later).subarray(-(keptBytes + marginBytes)));
    later = [end];
    laterBytes = end.length;
  }

  function finish(): KeptOutput | null {
    const leftOut = Math.max(0, bytes - 2 * keptBytes);
    if (leftOut === 0) {
      write(safeRest(pending + decoder.decode(Buffer.concat(later)), secrets));
    } else {
      // A character that the border splits is complete in the following bytes.
      write(safeBefore(pending, decoder.decode(Buffer.concat(following)), secrets));
      write(leftOutLine(bytes));
      write(endOf(Buffer.concat(later), secrets));
    }
    const sha256 = file.close();
    if (sha256 === null) return null;
    return { file: options.file, sha256, bytes, truncated: leftOut > 0, tail: wholeLines(recent) };
  }

  return {
    take(chunk) {
      const room = Math.max(0, keptBytes - bytes);
      bytes += chunk.length;
      if (room > 0) takeStart(chunk.subarray(0, room));
      if (chunk.length > room) takeLater(chunk.subarray(room));
    },
    finish,
    broken: () => file.broken(),
  };
}

/** The line between the kept start and the kept end of an output of `bytes` bytes. */
export function leftOutLine(bytes: number): string {
  return `\n… ${bytes - 2 * keptBytes} of ${bytes} bytes left out …\n`;
}

/** A line that the border cuts is left out if it is at most this long. */
const longestCutLine = 16 * 1024;

/** The last 512 kB of the later bytes, from the start of a line if one is near. */
function endOf(later: Buffer, secrets: readonly string[]): string {
  const border = later.subarray(0, Math.max(0, later.length - keptBytes)).toString().length;
  const text = safeAfter(later.toString(), border, secrets);
  const lineEnd = text.indexOf("\n");
  return lineEnd !== -1 && lineEnd < longestCutLine ? text.slice(lineEnd + 1) : text;
}

function wholeLines(recent: string): string {
  if (recent.length < tailLength) return recent;
  const lineEnd = recent.indexOf("\n");
  return lineEnd === -1 || lineEnd > tailLength / 2 ? recent : recent.slice(lineEnd + 1);
}

/** A file that is hashed while it is written. After the first error nothing more is written, and `close` returns null. */
function openFile(path: string): { write(text: string): void; close(): string | null; broken(): Error | null } {
  const hash = createHash("sha256");
  let descriptor: number | null = null;
  let broken: Error | null = null;
  function attempt(action: () => void): void {
    if (broken !== null) return;
    try {
      action();
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
    }
  }
  attempt(() => {
    descriptor = openSync(path, "w", 0o600);
  });
  return {
    write(text) {
      const buffer = Buffer.from(text);
      hash.update(buffer);
      attempt(() => {
        if (descriptor !== null) writeWhole(descriptor, buffer);
      });
    },
    close() {
      // A full disk may be reported only now.
      if (descriptor !== null) attempt(() => closeSync(descriptor ?? -1));
      return broken === null ? hash.digest("hex") : null;
    },
    broken: () => broken,
  };
}

function writeWhole(descriptor: number, buffer: Buffer): void {
  for (let at = 0; at < buffer.length; ) at += writeSync(descriptor, buffer, at);
}
