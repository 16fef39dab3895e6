import { keepEnvironment } from "../environment.ts";
import { runDone } from "./main.ts";

/** The entry of `cos done`, which loads nothing of the rest. `taken` is what this process was started with. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  keepEnvironment(taken);
  process.exitCode = await runDone(process.argv.slice(3));
}
