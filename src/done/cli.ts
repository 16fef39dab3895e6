import { keepEnvironment } from "../environment.ts";
import { runDone } from "./main.ts";

/** The entry of `cos done`; it loads nothing of the other programs. `taken`: the environment with which this process was started. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  keepEnvironment(taken);
  process.exitCode = await runDone(process.argv.slice(3));
}
