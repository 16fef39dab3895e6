import { localOrigin } from "../core/local-address.ts";

const healthKeys = ["status", "db", "queue", "space", "platforms"];

/** What to say where something else listens: a bot that runs already answers with its health. Never throws. */
export async function takenWords(hostname: string, port: number): Promise<string> {
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
