import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { examineChat } from "../../src/examine.ts";

/** The lines of the doctor about several chats and several people. */
async function linesWith(environment: Readonly<Record<string, string>>): Promise<readonly object[]> {
  const parsed = parseConfig(environment);
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  return await examineChat(parsed.config);
}

describe("what the doctor says of mirrors and of agreement", () => {
  it("is nothing where no setting is", async () => {
    expect(await linesWith({})).toEqual([]);
  });

  it("is where each question is shown, and who can vote on what, rules that are the same once", async () => {
    const found = await linesWith({
      COS_WEBHOOK_URL: "http://127.0.0.1:9/cards",
      COS_MIRRORS: "cost=console;ux=webhook;scope=webhook",
      COS_PEOPLE: "ana=console;ben=console:ben+slack:U1;cy=console:cy",
      COS_QUORUM: "cost=2;architecture=1 of ben,cy without requester",
    });

    expect(found).toEqual([
      {
        name: "questions are shown",
        ok: true,
        says: "ux, scope in webhook and the console; cost in the console only; everything else on every platform",
      },
      {
        name: "agreement",
        ok: true,
        says: "cost needs 2: 3 people can vote; architecture needs 1 (of ben, cy, without who asked for it): 2 people can vote; everything else needs one person",
      },
    ]);
  });

  it("leaves the rest out where every question has its rule", async () => {
    const [found] = await linesWith({ COS_PEOPLE: "ben=console:ben", COS_QUORUM: "cost=1;other=2" });

    expect(JSON.stringify(found)).toContain("ux, scope, hiccup, architecture needs 2: 2 people can vote");
    expect(JSON.stringify(found)).not.toContain("everything else");
  });
});
