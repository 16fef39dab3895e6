import { localOrigin } from "../core/local-address.ts";

const healthKeys = ["status", "db", "queue", "space", "platforms"];

/** Returns why the console cannot listen there, and what to set. Never throws. */
export async function listenWords(error: NodeJS.ErrnoException, hostname: string, port: number): Promise<string> {
  const why = `the console cannot listen on ${hostname}:${port}: ${error.message}`;
  if (error.code === "EADDRINUSE") return await takenWords(hostname, port);
  if (error.code === "EACCES") return `${why}. Choose a port from 1024 on, such as PORT=3001`;
  if (notOurs.has(error.code ?? ""))
    return `${why}. COS_HOST names an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all`;
  return why;
}

const notOurs = new Set(["EADDRNOTAVAIL", "EAI_AGAIN", "ENOTFOUND"]);

/** Returns what to say when the port is in use: a running bot is recognised by its health. Never throws. */
async function takenWords(hostname: string, port: number): Promise<string> {
  const where = `port ${port} on ${hostname}`;
  if (await isBot(hostname, port))
    return `a bot runs here already (${where}), and cos status says what it does; another one needs a port of its own, such as PORT=3001`;
  return `${where} is in use: stop what uses it, or choose another with PORT=3001`;
}

async function isBot(hostname: string, port: number): Promise<boolean> {
  try {
    const answer = await fetch(`${localOrigin({ host: hostname, port })}/healthz`, {
      signal: AbortSignal.timeout(10_000),
    });
    const health: unknown = await answer.json();
    return typeof health === "object" && health !== null && healthKeys.every((key) => key in health);
  } catch {
    return false;
  }
}
