import { lastPart } from "../files/path.ts";

import { isAboutTests } from "../recovery/agent-words.ts";
import { normalLine } from "../recovery/normal-error.ts";
import { firstLine } from "../text.ts";
import { saysNoSpaceTranslated } from "./translated.ts";

/**
 * A write failed because a disk is full, a quota is used up, or a file system is read-only. Thrown wherever this is detected, and distinct
 * from every other failure: such a turn was interrupted, it has not failed (D8). The message is that of the system or tool.
 */
export class NoSpace extends Error {
  override readonly name = "NoSpace";
}

/** The text for a read-only file system. Work then waits, as with a full disk. */
export const readOnlyWords = "the file system is read-only";

/** Returns what such a text means for its reader, and what to do: a full disk and a read-only one need different help. */
export function helpForLack(reason: string): { readonly lack: string; readonly next: string } {
  return reason.includes(readOnlyWords)
    ? { lack: `nothing can be written: ${reason}`, next: "make it writable" }
    : { lack: `there is no space left: ${reason}`, next: "free some" };
}

/** Number of last lines of an output that are searched; an earlier line may only be a quotation. */
const toldLines = 40;
const longestLine = 1000;

const spaceWords =
  /no space left on (?:the )?device|\bENOSPC\b|\bEDQUOT\b|disk quota exceeded|(?:not enough|insufficient|out of) (?:free |disk )?space (?:left )?on (?:the )?(?:disk|device|drive|volume)|(?:\bdisk|file ?system) is full|\bout of diskspace\b/i;

/** The same error codes for other limits: file watchers, kernel semaphores. */
const otherLimits = /file watchers|inotify|semaphore/i;

/** Lines that test runners print after failures: such an output is about tests. */
const failedTests =
  /^(?:FAIL |--- FAIL|not ok \d|FAILED \(|FAILED \S+::|● |\d+ failing\b|✖ failing tests)|\bTests?:? +\d+ failed\b|\b\d+ failed(?:,| \|| in )|\btest result: FAILED\b/;

/** Prefixes that build tools use too. */
const buildSigns = /^(?:> |\| |#\d)/;

/**
 * Returns the line in which a failed command or git reports that no space is left. Null when it reports something else, or when
 * tests mention space: their output is about the work.
 */
export function spaceLineIn(output: string): string | null {
  const told = output
    .trimEnd()
    .split("\n")
    .slice(-toldLines)
    .map((line) => line.slice(0, longestLine));
  const lines = told.map(normalLine);
  if (lines.some((line) => failedTests.test(line))) return null;
  const line = told.findLast((each, index) => {
    const normal = lines[index] ?? "";
    return (
      (spaceWords.test(each) || saysNoSpaceTranslated(each)) &&
      !otherLimits.test(each) &&
      (buildSigns.test(normal) || !isAboutTests(normal))
    );
  });
  return line === undefined ? null : firstLine(withoutFolders(line), 300);
}

/** Paths on the server must not appear in a chat (D43): only the last name is kept. */
function withoutFolders(line: string): string {
  return line.replaceAll(/(?<![\w.])(?:\/[^\s/'":]+){2,}/g, (path) => `…/${lastPart(path)}`);
}

/**
 * Returns the text of an error that means that a disk cannot be written any more: from a file system call, PostgreSQL (53100),
 * or `NoSpace`. Null for every other error.
 */
export function spaceWordsOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof NoSpace) return error.message;
  const code = "code" in error ? error.code : null;
  if (code === "53100") return `the database: ${firstLine(error.message, 300)}`;
  // Node's message contains the path, which must not appear in a chat.
  if ((code === "ENOSPC" || code === "EDQUOT") && !otherLimits.test(error.message))
    return code === "EDQUOT" ? "disk quota exceeded" : "no space left on device";
  if (code === "EROFS") return readOnlyWords;
  if (error instanceof AggregateError) return error.errors.map(spaceWordsOf).find((words) => words !== null) ?? null;
  return error.cause === undefined ? null : spaceWordsOf(error.cause);
}
