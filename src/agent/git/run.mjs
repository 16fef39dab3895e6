import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";

/** Number of bytes of stderr that are kept from its beginning, and as many from its end, where git reports the result. */
const mostOfEachEnd = 256 * 1024;

/** On SIGTERM git removes its locks. A process that has not ended after this time, such as a hook that ignores the signal, is killed. */
const longestEndMs = 10_000;

/**
 * Runs git until it ends, with its output in memory. It runs in a process group of its own, so that a hanging hook of the person also
 * ends at the timeout.
 * @param {import("./run.d.mts").Run} run
 * @returns {Promise<import("./run.d.mts").Ended>} never rejects
 */
export function runHere({ args, cwd, env, input, inputFile, timeoutMs, maxBytes }) {
  const child = spawn("git", args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // A command that reads less than its input reports that by its exit code.
  if (inputFile === undefined) child.stdin.end(input);
  else
    createReadStream(inputFile)
      .on("error", () => child.stdin.end())
      .pipe(child.stdin);

  return new Promise((settle) => {
    const stdout = [];
    const stderr = bothEnds(mostOfEachEnd);
    let bytes = 0;
    let endedFor = null;
    const timer = setTimeout(() => end("time"), timeoutMs);

    function end(reason) {
      endedFor = reason;
      endGroup(child);
      // Git ended before; only its output is still held open by another process.
      if (child.exitCode !== null || child.signalCode !== null) settled(child.exitCode, null);
    }
    function settled(exitCode, error) {
      clearTimeout(timer);
      const output = Buffer.concat(stdout);
      settle({
        exitCode,
        error,
        endedFor,
        stdout: endedFor === "limit" ? output.subarray(0, maxBytes) : output,
        stderr: stderr.text(),
      });
    }
    child.stdout.on("data", (chunk) => {
      if (endedFor !== null) return;
      stdout.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) end("limit");
    });
    child.stderr.on("data", (chunk) => endedFor === null && stderr.add(chunk));
    child.once("error", ({ code = "", message }) => settled(null, { code, message }));
    child.once("exit", (exitCode) => endedFor !== null && settled(exitCode, null));
    child.once("close", (exitCode) => endedFor === null && settled(exitCode, null));
  });
}

/**
 * Ends the process group. Its further output is read and dropped: a shell reports that its command was ended, and without a reader it
 * would die of that before it removes its lock. Nobody waits for this, but our process stays alive as long as any process of the group.
 */
function endGroup(child) {
  const killing = setTimeout(() => {
    signalGroup(child.pid, "SIGKILL");
    for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
  }, longestEndMs);
  child.once("close", () => {
    if (!signalGroup(child.pid, 0)) clearTimeout(killing);
  });
  signalGroup(child.pid, "SIGTERM");
}

/** Keeps the beginning and the end of chunked output: at least `most` bytes of each, and at most one chunk more. */
function bothEnds(most) {
  const first = [];
  const last = [];
  let [firstBytes, lastBytes, isCut] = [0, 0, false];
  return {
    add(chunk) {
      if (firstBytes < most) {
        firstBytes += chunk.length;
        first.push(chunk);
        return;
      }
      lastBytes += chunk.length;
      last.push(chunk);
      for (; lastBytes - last[0].length >= most; isCut = true) lastBytes -= last.shift().length;
    },
    text: () => Buffer.concat([...first, ...(isCut ? [Buffer.from("\n")] : []), ...last]).toString(),
  };
}

/** Sends a signal to the group. False when no process of it runs any more. */
function signalGroup(pid, signal) {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
