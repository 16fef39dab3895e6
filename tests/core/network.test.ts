import { describe, expect, it } from "vitest";
import { parseSpec } from "../../src/core/acceptance/spec.ts";
import { parseReach, reachesNothing, reachWords, shutNetworkWords } from "../../src/core/isolation/network.ts";

describe("what a command may reach", () => {
  it.each<[string, unknown, string | null]>([
    ["", { type: "none" }, null],
    ["none", { type: "none" }, null],
    ["all", { type: "all" }, "every address but this machine's own"],
    ["ALL", { type: "all" }, "every address but this machine's own"],
    ["None", { type: "none" }, null],
    ["my_db:5432", { type: "hosts", hosts: ["my_db:5432"] }, "my_db:5432"],
    [
      "DB.example.com:5432, localhost:6380 db.example.com:5432",
      { type: "hosts", hosts: ["db.example.com:5432", "localhost:6380"] },
      "db.example.com:5432, localhost:6380",
    ],
  ])("is read of %j", (text, expected, words) => {
    const reach = parseReach([text]);

    expect(reach).toEqual(expected);
    expect(typeof reach === "string" ? reach : reachWords(reach)).toBe(words);
  });

  it.each([
    "db.example.com",
    "10.0.0.5:80",
    "db:0",
    "db:65536",
    "db:1 all",
    "-db:1",
    "a..b:1",
    "db.:1",
    "db:80 http://a:1",
  ])("is refused of %j", (text) => {
    expect(parseReach([text])).toMatch(/^network: .+ is neither HOST:PORT/);
  });

  it.each([
    ["curl: (6) Could not resolve host: example.com", reachesNothing, "no network"],
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", reachesNothing, "no network"],
    ["getaddrinfo ENOTFOUND db", { type: "hosts", hosts: ["cache:6379"] }, "only cache:6379"],
  ] as const)("is said where a command failed with %s", (output, reach, what) => {
    expect(shutNetworkWords(output, reach)).toEqual([
      `it reaches ${what}: what it needs is said with network: of its criterion, or cos repo edit REPO --check-network HOST:PORT`,
    ]);
  });

  it("is not said of what it may reach, nor where something else was wrong", () => {
    expect(shutNetworkWords("getaddrinfo ENOTFOUND db", { type: "all" })).toEqual([]);
    expect(shutNetworkWords("expected 2, got 3", reachesNothing)).toEqual([]);
  });

  it("stands in a criterion, where what is wrong is named with its line", () => {
    const spec = (network: string) =>
      `#### AC-1: T\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: "true"\nnetwork: ${network}\n\`\`\`\n`;

    expect(parseSpec(spec("[db:5432, cache:6379]"))).toMatchObject({
      type: "ok",
      spec: { criteria: [{ verification: { network: { type: "hosts", hosts: ["db:5432", "cache:6379"] } } }] },
    });
    expect(parseSpec(spec("10.0.0.1:80"))).toMatchObject({
      type: "invalid",
      problems: [{ problem: expect.stringContaining("(line 7)") as string }],
    });
  });
});
