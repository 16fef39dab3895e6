import { execFile } from "node:child_process";
import { shellProgram } from "./shell-program.ts";

const longestMs = 5_000;

/** Returns the shell's error when it cannot parse a command. Null when it can, or could not be asked. Nothing of the command is run. */
export async function shellFault(command: string): Promise<string | null> {
  if (command.includes("\0")) return "it holds a NUL";
  return await new Promise((resolve) => {
    const options = { env: { LC_ALL: "C" }, timeout: longestMs };
    execFile(shellProgram, ["-n", "-c", "--", command], options, (error, _stdout, stderr) => {
      const isRefused = error !== null && typeof error.code === "number";
      const said = stderr.split("\n", 1)[0] ?? "";
      resolve(isRefused ? said.replace(/^\S+: (?:-c: )?(?:line )?(?:\d+: )?/, "") : null);
    });
  });
}
