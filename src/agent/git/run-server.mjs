// A small process that runs git for a large one (run-git.ts). It ends when that one has, and git with it when it is through.
import { runHere } from "./run.mjs";

// Whoever is told to stop by a terminal or a service manager decides itself when it needs git no more.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.on("message", async ({ id, run }) => {
  const ended = await runHere(run);
  // Whoever asked may be gone meanwhile.
  if (process.connected) process.send({ id, ended }, () => {});
});
