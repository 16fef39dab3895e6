import type { Sink } from "../../tests/fakes/sink.ts";
import type { Server } from "./server.ts";

/** The platform's own list: each message there once, under the address that its row knows. */
export async function examinePlatform(server: Server, sink: Sink): Promise<string[]> {
  const rows = await server.rows<{ message_id: string; address: string | null; is_shown: boolean }>(
    `select message_id, address, posted_version is not distinct from version as is_shown
     from cos.messages where platform = 'webhook'`,
  );
  const keys = sink.posts.map((post) => post.key);
  const known = new Set(rows.map((row) => `cos-${row.message_id}`));
  const addresses = new Set(rows.map((row) => row.address));
  return [
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} was posted twice`),
    ...keys.filter((key) => !known.has(key)).map((key) => `${key} was posted and has no row`),
    ...[...sink.shown.keys()].filter((each) => !addresses.has(each)).map((each) => `no row knows the message ${each}`),
    ...rows.filter((row) => !row.is_shown).map((row) => `the message ${row.message_id} is not shown as it is now`),
  ];
}
