import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Forge, Provider } from "../../src/core/forges/forge.ts";
import { openForges } from "../../src/forge/open.ts";

/** What a forge may answer that is none: nothing is thrown, everything has an end, and the token goes nowhere else. */

const token = "secret-token-0123456789";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const there = {
  number: 1,
  title: "T",
  isDraft: false,
  state: "open",
  into: "main",
  headCommit: "a".repeat(40),
  mergedAs: null,
  endedBy: null,
  labels: [],
  changedAt: null,
} as const;
const wanted = { headCommit: there.headCommit, title: "T", message: "M" };

const questions: readonly [string, (forge: Forge) => Promise<{ readonly type: string }>][] = [
  ["read", (forge) => forge.read(1)],
  ["remarks", (forge) => forge.remarks(there)],
  ["checks", (forge) => forge.checks(there.headCommit)],
  ["issue", (forge) => forge.issue(1)],
  ["merge", (forge) => forge.merge(1, wanted)],
];

describe.each(["github", "gitlab", "gitea"] as const)("an answer of %s that is none [F-605]", (provider: Provider) => {
  const forgeAt = (url: string) =>
    openForges(() => new Date())({ site: { provider, url, token }, host: new URL(url).host, path: "ana/shop" });

  it.each([
    ["a page of HTML", 200, "text/html", "<html><body>Please log in</body></html>"],
    ["a server's error", 500, "text/html", "<h1>Oops</h1>"],
    ["another shape", 200, "application/json", '{"iid":"one","number":"one","notes":7}'],
    ["half an answer", 200, "application/json", '[{"id":1,'],
    ["a list as long as a book", 200, "application/json", `"${"x".repeat(6_000_000)}"`],
  ])("%s", async (_, status, type, body) => {
    const url = await serve((_request, response) => response.writeHead(status, { "content-type": type }).end(body));
    for (const [name, ask] of questions) {
      const answer = await ask(forgeAt(url));
      // Gitea says nothing where it has merged: what came of it is read.
      if (!(provider === "gitea" && name === "merge")) expect([name, answer.type]).toEqual([name, "failed"]);
      expect(JSON.stringify(answer)).not.toContain(token);
    }
  });

  it("a move to another host is followed without the token, and never by what changes something", async () => {
    const heard: { method: string; headers: string }[] = [];
    const elsewhere = await serve((request, response) => {
      heard.push({ method: request.method ?? "", headers: JSON.stringify(request.headers) });
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    const url = await serve((request, response) =>
      response.writeHead(307, { location: `${elsewhere.replace("127.0.0.1", "localhost")}${request.url ?? ""}` }).end(),
    );
    for (const [, ask] of questions) await ask(forgeAt(url));
    expect(heard.length).toBeGreaterThan(0);
    expect(JSON.stringify(heard)).not.toContain(token);
    expect(heard.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("a mark for an answer that it never gave is no answer", async () => {
    const url = await serve((_request, response) => response.writeHead(304, { etag: "x" }).end());
    for (const [name, ask] of questions.slice(0, 4))
      expect([name, (await ask(forgeAt(url))).type]).toEqual([name, "failed"]);
  });
});

it.each([
  ["gitea", "WIP:foo", "foo"],
  ["gitea", "[wip] WIP: foo", "foo"],
  ["gitlab", "Draft:foo", "foo"],
  ["gitlab", "[Draft] foo", "foo"],
  ["gitlab", "(draft) foo", "foo"],
] as const)("%s: the title of the draft %j is %j", async (provider, title, expected) => {
  const common = { title, state: provider === "gitea" ? "open" : "opened", labels: [], draft: true };
  const sides = { head: { ref: "cos/g1", sha: there.headCommit }, base: { ref: "main" }, target_branch: "main" };
  const body = { ...common, ...sides, number: 1, iid: 1, sha: there.headCommit, source_branch: "cos/g1" };
  const url = await serve((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  const site = { provider, url, token };
  const forge = openForges(() => new Date())({ site, host: new URL(url).host, path: "ana/shop" });

  expect(await forge.read(1)).toMatchObject({ type: "ok", value: { title: expected, isDraft: true } });
});

it("a forge that never answers, or stops in the middle of an answer, is left after 15 s [F-605]", async () => {
  const silent = await serve(() => undefined);
  const half = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "500" }).write('[{"id":');
  });
  const startedMs = performance.now();
  const asked = [silent, half].flatMap((url) =>
    (["github", "gitlab", "gitea"] as const).map(async (provider) => {
      const site = { provider, url, token };
      const forge = openForges(() => new Date())({ site, host: new URL(url).host, path: "ana/shop" });
      return [provider, await forge.read(1)] as const;
    }),
  );
  for (const [provider, answer] of await Promise.all(asked))
    expect([provider, answer]).toMatchObject([provider, { type: "failed", trouble: { kind: "unreachable" } }]);
  expect(performance.now() - startedMs).toBeLessThan(40_000);
});
