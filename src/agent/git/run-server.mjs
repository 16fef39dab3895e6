// A small process that runs git for a large one (run-git.ts). It ends after its parent has ended and its running git commands are
// finished.
import { runHere } from "./run.mjs";

// When a terminal or a service manager stops all processes, the parent decides when it no longer needs git.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.on("message", async ({ id, run }) => {
  const ended = await runHere(run);
  // The parent may have ended in the meantime.
  if (process.connected) process.send({ id, ended }, () => {});
});
