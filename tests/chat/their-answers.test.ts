import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { fetchTheirs, NotTheirs } from "../../src/chat/their-answers.ts";

/** What a platform answers is told from a page of something on the way. */

async function answered(type: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": type }).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const response = await fetchTheirs(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await response.text();
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

it.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
  "JSON is theirs, however its type is written: %s",
  async (type) => {
    expect(await answered(type)).toBe("{}");
  },
);

it("a page is not", async () => {
  await expect(answered("Text/HTML")).rejects.toBeInstanceOf(NotTheirs);
});
