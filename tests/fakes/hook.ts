import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectDir } from "./bot.ts";

/** Runs `cos` in a directory with an environment of just these variables and a text on standard input. */
export async function cosIn(
  directory: string,
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): Promise<{ code: number | null; stdout: string; stderr: string; ms: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(projectDir, "bin/cos.mjs"), ...words], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr, ms: performance.now() - startedAt };
}

/** What Claude Code writes to a Stop hook's standard input. */
export function stopInput(directory: string, agentSession = "3f0b7b2a-6c1d-4d7e-9a55-0d6f1b0f9c11"): string {
  return JSON.stringify({
    session_id: agentSession,
    transcript_path: "/home/ana/.claude/projects/shop/3f0b7b2a.jsonl",
    cwd: directory,
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
  });
}
