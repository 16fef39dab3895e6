// Runs before anything is installed: plain JavaScript, nothing but Node's own modules.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** What this process itself and the compiler that it starts need; everything else is settings, which others may not read. */
const stays =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP|NODE_\w+|COS_RUN|COS_CHILD|COS_CALLS)$/;

/** By these a process of a goal is known: they stay where everybody can read them. */
const marks = /^(?:COS_RUN|COS_CHILD|COS_CALLS)$/;

/**
 * Takes the environment out of reach: a process of the same user reads in /proc/PID/environ what another was started with,
 * whatever that one deletes from `process.env`, and children inherit the rest. Returns everything that was there; what
 * stays in `process.env` is no setting. Where the memory cannot be written (no /proc) only children are kept from it.
 * @returns {Record<string, string>}
 */
export function takeEnvironment() {
  const taken = { ...process.env };
  if (process.platform === "win32") return taken;
  const entries = startedWith();
  for (const name of Object.keys(taken)) delete process.env[name];
  wipe(entries.filter(({ name }) => !marks.test(name)));
  for (const [name, value] of Object.entries(taken)) if (stays.test(name)) process.env[name] = value;
  return taken;
}

/** The entries of the memory that the kernel shows as our environment, with their addresses in it. */
function startedWith() {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The name in parentheses may hold spaces; fields are counted behind it: 3 is the state, 50 where the environment starts.
    const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[47]);
    if (!Number.isSafeInteger(start) || start <= 0) return [];
    const bytes = readFileSync("/proc/self/environ");
    const entries = [];
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(0, from);
      const length = (end < 0 ? bytes.length : end) - from;
      const name = bytes.toString("latin1", from, from + length).split("=")[0] ?? "";
      if (length > 0) entries.push({ name, address: start + from, length });
      from += length + 1;
    }
    return entries;
  } catch {
    return [];
  }
}

/** Nobody points there any more: every name was taken out of `process.env`. */
function wipe(entries) {
  if (entries.length === 0) return;
  try {
    const memory = openSync("/proc/self/mem", "r+");
    for (const { address, length } of entries) writeSync(memory, Buffer.alloc(length), 0, length, address);
    closeSync(memory);
  } catch {
    // A kernel that forbids it: `cos doctor` and the start look at what can be read, and say so.
  }
}
