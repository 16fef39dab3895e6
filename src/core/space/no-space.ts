import { lastPart } from "../files/path.ts";

import { isAboutTests } from "../recovery/agent-words.ts";
import { normalLine } from "../recovery/normal-error.ts";
import { firstLine } from "../text.ts";
import { saysNoSpaceTranslated } from "./translated.ts";

/**
 * What could not be written because a disk is full, a quota used up, or a file system read-only. Thrown wherever we learn of it, and told apart from
 * every other failure: such a turn was interrupted, it has not failed (D8). The message is what the system or a tool said.
 */
export class NoSpace extends Error {
  override readonly name = "NoSpace";
}

/** What is said where a file system takes no writing at all: what is done then waits, as where it is full. */
export const readOnlyWords = "the file system is read-only";

/** What such words mean for who reads them, and what to do: a full disk and one that takes no writing are not helped alike. */
export function helpForLack(reason: string): { readonly lack: string; readonly next: string } {
  return reason.includes(readOnlyWords)
    ? { lack: `nothing can be written: ${reason}`, next: "make it writable" }
    : { lack: `there is no space left: ${reason}`, next: "free some" };
}

/** The last lines of an output, in which its end is told; further up it may only be quoted. */
const toldLines = 40;
const longestLine = 1000;

const spaceWords =
  /no space left on (?:the )?device|\bENOSPC\b|\bEDQUOT\b|disk quota exceeded|(?:not enough|insufficient|out of) (?:free |disk )?space (?:left )?on (?:the )?(?:disk|device|drive|volume)|(?:\bdisk|file ?system) is full|\bout of diskspace\b/i;

/** The same error number for something else: watchers of files, semaphores of the kernel. */
const otherLimits = /file watchers|inotify|semaphore/i;

/** What test runners print when tests have failed: such an output says what tests say. */
const failedTests =
  /^(?:FAIL |--- FAIL|not ok \d|FAILED \(|FAILED \S+::|● |\d+ failing\b|✖ failing tests)|\bTests?:? +\d+ failed\b|\b\d+ failed(?:,| \|| in )|\btest result: FAILED\b/;

/** Signs that builds begin their lines with too. */
const buildSigns = /^(?:> |\| |#\d)/;

/**
 * The line by which a failed command or git says that there is no space left; null when it says something else, or when it is
 * tests that speak of space: what they print is about the work.
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

/** Where something lies on the server is nobody's business in a chat (D43): its name is kept. */
function withoutFolders(line: string): string {
  return line.replaceAll(/(?<![\w.])(?:\/[^\s/'":]+){2,}/g, (path) => `…/${lastPart(path)}`);
}

/**
 * What an error says when it means that nothing more can be written on a disk, whoever threw it: our file system calls, PostgreSQL (53100),
 * or somebody who told it with `NoSpace`; null for every other error.
 */
export function spaceWordsOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof NoSpace) return error.message;
  const code = "code" in error ? error.code : null;
  if (code === "53100") return `the database: ${firstLine(error.message, 300)}`;
  // Node's own words name the path, which is nobody's business in a chat.
  if ((code === "ENOSPC" || code === "EDQUOT") && !otherLimits.test(error.message))
    return code === "EDQUOT" ? "disk quota exceeded" : "no space left on device";
  if (code === "EROFS") return readOnlyWords;
  if (error instanceof AggregateError) return error.errors.map(spaceWordsOf).find((words) => words !== null) ?? null;
  return error.cause === undefined ? null : spaceWordsOf(error.cause);
}
