import { execFile } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import { promisify } from "node:util";
import type { PythonModule } from "../../core/acceptance/tools.ts";
import { criterionEnvironment } from "../place/environment.ts";
import { pathInside } from "../place/visible.ts";
import { ownPath } from "../process/environment.ts";

const run = promisify(execFile);

/** Time limit for Python's answer. */
const longestMs = 10_000;

const asks = "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]) is not None)";

/** True when the machine's Python says that it lacks a module; false when it does not answer. Runs in a neutral folder. */
export async function lacksModule({ python, name }: PythonModule): Promise<boolean> {
  const env = criterionEnvironment({ home: homedir(), temporary: tmpdir(), path: pathInside(ownPath()) });
  const limits = { timeout: longestMs, killSignal: "SIGKILL", maxBuffer: 100_000 } as const;
  const said = await run(python, ["-c", asks, name], { cwd: "/", env, ...limits }).catch(() => null);
  return said?.stdout.trim() === "False";
}
