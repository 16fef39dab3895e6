import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";

/**
 * Runs git to its end, with its output in memory. In a group of its own: a hook of the person's that hangs ends with the limit.
 * @param {import("./run.d.mts").Run} run
 * @returns {Promise<import("./run.d.mts").Ended>} never rejects
 */
export function runHere({ args, cwd, env, input, inputFile, timeoutMs, maxBytes }) {
  const child = spawn("git", args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let endedFor = null;
  function end(reason) {
    endedFor ??= reason;
    killGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  }
  const timer = setTimeout(() => end("time"), timeoutMs);

  const stdout = [];
  const stderr = [];
  let bytes = 0;
  child.stdout.on("data", (chunk) => {
    stdout.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) end("limit");
  });
  child.stderr.on("data", (chunk) => {
    if (stderr.length < 64) stderr.push(chunk);
  });
  child.stdin.on("error", () => {}); // A command that reads less than it is given says so by its exit code.
  if (inputFile === undefined) child.stdin.end(input);
  else
    createReadStream(inputFile)
      .on("error", () => child.stdin.end())
      .pipe(child.stdin);

  return new Promise((settle) => {
    function settled(exitCode, error) {
      clearTimeout(timer);
      const output = Buffer.concat(stdout);
      settle({
        exitCode,
        error,
        endedFor,
        stdout: endedFor === "limit" ? output.subarray(0, maxBytes) : output,
        stderr: Buffer.concat(stderr).toString(),
      });
    }
    child.once("error", ({ code = "", message }) => settled(null, { code, message }));
    child.once("close", (exitCode) => settled(exitCode, null));
  });
}

function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
