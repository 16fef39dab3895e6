import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port on which nothing listens, for a program that must be told one. None of those that the kernel gives to whoever asks for any
 * (from 32768 on): between our look and the program's start it would give it to another test.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
