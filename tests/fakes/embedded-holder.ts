import { openEmbedded } from "../../src/db/embedded/client.ts";

// A process that holds the embedded PostgreSQL of argv[2] until its stdin ends. Prints one line: {"url"} or {"error"}.
process.stdin.resume();
try {
  const database = await openEmbedded({ dataDir: process.argv[2] ?? "", onProgress: () => {} });
  process.stdout.write(`${JSON.stringify({ url: database.url })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  process.exit(1);
}
