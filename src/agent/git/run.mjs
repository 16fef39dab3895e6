import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";

/** Of what git and hooks say, so many bytes are kept from its beginning and from its end, where what came of it is told. */
const mostOfEachEnd = 256 * 1024;

/** Told to end, git takes its locks away; what does not end by itself then, such as a hook that hears nothing, is killed. */
const longestEndMs = 10_000;

/**
 * Runs git to its end, with its output in memory. In a group of its own: a hook of the person's that hangs ends with the limit.
 * @param {import("./run.d.mts").Run} run
 * @returns {Promise<import("./run.d.mts").Ended>} never rejects
 */
export function runHere({ args, cwd, env, input, inputFile, timeoutMs, maxBytes }) {
  const child = spawn("git", args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // A command that reads less than it is given says so by its exit code.
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
      // Over before, with an output that something else holds open.
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
 * What it prints on its way to its end is read and dropped: a shell writes that its command was ended, and where nobody reads
 * that it dies of it before it has taken its lock away. Nobody waits for it; but this process stays as long as anything of it does.
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

/** Keeps the beginning and the end of what comes in chunks, at least `most` bytes of each and at most a chunk more. */
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

/** False where nothing of it runs any more. */
function signalGroup(pid, signal) {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
