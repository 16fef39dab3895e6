import { ends } from "../text/bounds.ts";

/** Removes from outputs and errors what differs from run to run. */

/** Maximum length of an error that is read, in UTF-16 units. */
const longestError = 10_000;

/** Returns one line of output without colours and cursor movements. */
export function normalLine(line: string): string {
  return line.replace(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, "").trim();
}

/** Returns an error without numbers that vary: positions, ids, times, addresses, temporary folders. */
export function normalError(error: string): string {
  return (
    ends(error, longestError)
      .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, "")
      .toLowerCase()
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<id>")
      // Runners that shuffle tests: one mark per test in the order of this run, and the shuffle seed.
      .replace(/^[.fes*]{2,2000}$/gm, "<marks>")
      .replace(/\bseed(?:ed)?(?: with| is|:|=)?\s{1,3}\d{1,12}\b/g, "<seed>")
      .replace(/\b\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?/g, "<time>")
      .replace(/\b(?:\d{1,2}:\d{2}:\d{2}|\d{1,2}:\d{2}\.\d{1,6})\b/g, "<time>")
      .replace(/(?:\/(?:private\/)?(?:tmp|var\/folders)|\/dev\/shm)\/[^\s'"`:)]+/g, "<temporary>")
      .replace(/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, "<id>")
      .replace(/\b(?:duration|elapsed|time|took)(?:_ms|_s)?\s{0,3}[:=]?\s{0,3}\d+(?:\.\d+)?/g, "<duration>")
      .replace(/\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\s?(?:[kmg]i?b|\w{1,20})\/(?:s|sec|second)\b/g, "<rate>")
      .replace(/\bmemory(?: usage)?:?\s{0,3}\d+(?:\.\d+)?\s?(?:[kmg]i?b)?\b/g, "<memory>")
      .replace(/:\d+(?::\d+)?(?=[^\w]|$)/g, ":<n>")
      .replace(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?|h|hours?)\b/g, "<duration>")
      .replace(/\b(?:pid|port|line|column|col)\s+\d+/g, (said) => said.replace(/\d+/, "<n>"))
      .replace(/\s+/g, " ")
      .trim()
  );
}
