import { runWithoutDatabase } from "./main.ts";

/** The entry of `cos done` and `cos stop-hook`, which loads nothing else: a hook must answer at once. */
const [name, ...words] = process.argv.slice(2);

process.exitCode = await runWithoutDatabase(name === "stop-hook" ? "stop-hook" : "done", words);
