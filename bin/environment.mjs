// Runs before anything is installed: plain JavaScript with Node's built-in modules only.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Variables that this process and the compiler need. All others are settings, which other processes must not read. */
const stays =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP|NODE_\w+|COS_RUN|COS_CHILD|COS_CALLS)$/;

/** Variables by which a goal's process is recognised; they stay where everybody can read them. */
const marks = /^(?:COS_RUN|COS_CHILD|COS_CALLS)$/;

/**
 * Removes the environment from this process. A process of the same user can read the start environment in /proc/PID/environ, even after
 * variables were deleted from `process.env`; and children inherit `process.env`. Returns the whole original environment; the variables
 * that stay in `process.env` are no settings. Where the memory cannot be written (no /proc), settings are hidden only from children.
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

/** Returns the entries of the memory that the kernel shows as our environment, with their addresses. */
function startedWith() {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The process name in parentheses may contain spaces, so fields are counted after it: field 3 is the state, field 50 the start of the
    // environment.
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

/** Overwrites entries with zeros. Nothing points to them any more, because every name was deleted from `process.env`. */
function wipe(entries) {
  if (entries.length === 0) return;
  try {
    const memory = openSync("/proc/self/mem", "r+");
    for (const { address, length } of entries) writeSync(memory, Buffer.alloc(length), 0, length, address);
    closeSync(memory);
  } catch {
    // The kernel forbids it. `cos doctor` and the start check what can be read, and report it.
  }
}
