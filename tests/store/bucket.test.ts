import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, expect, it } from "vitest";
import { StoreError } from "../../src/core/store-error.ts";
import { longestStored } from "../../src/core/store-settings.ts";
import { openBucket } from "../../src/store/s3.ts";
import { bucketKey, bucketSecret, startBucket } from "../fakes/s3/bucket.ts";

/** A bucket gives back whatever it was given, and says so where it does not. */

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
const bucketAt = (address: string) =>
  openBucket({ type: "s3", address, region: "eu-central-1", key: bucketKey, secret: bucketSecret });

it("the longest content that is put there comes back whole [F-605]", async () => {
  const server = await startBucket();
  ends.push(() => server.close());
  const store = bucketAt(server.url);
  // What cannot be compressed is a little longer afterwards.
  const content = Buffer.concat([randomBytes(1024), Buffer.alloc(longestStored + 20_000)]);
  await store.put("output/run-1/work.bundle", content);
  expect((await store.get("output/run-1/work.bundle"))?.equals(content)).toBe(true);
});

it("a content that breaks off is no answer of the store, and nothing else [F-605]", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": 1000 }).write("half of it");
    setImmediate(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => server.close());
  const store = bucketAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/outputs`);
  const broken = await store.get("output/run-1/work.bundle").catch((error: unknown) => error);
  expect(broken).toBeInstanceOf(StoreError);
  expect(broken).toMatchObject({ isSilent: true });
});

it("a content without a known length is read no further than the longest that is ours", async () => {
  let sent = 0;
  // Twice as much as may be stored.
  const endless = function* () {
    for (const part = Buffer.alloc(1024 * 1024); sent < 2 * longestStored; sent += part.length) yield part;
  };
  const server = createServer((_, response) => {
    response.writeHead(200);
    pipeline(Readable.from(endless()), response).catch(() => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(
    async () => server.closeAllConnections(),
    async () => server.close(),
  );
  const store = bucketAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/outputs`);

  expect(await store.get("output/run-1/work.bundle")).toBeNull();
  expect(sent).toBeLessThan(2 * longestStored);
});
