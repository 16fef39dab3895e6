import { describe, expect, it } from "vitest";
import { chatCard } from "../../../src/core/cards/chat-card.ts";
import { plainCard, text } from "../../../src/core/cards/card.ts";
import { hidePaths } from "../../../src/core/text/server-paths.ts";

const places = { dataDir: "/work/bot/.data", folders: ["/home/ana", "/work/bot", "/tmp"] };

describe("paths in chat", () => {
  it.each([
    ["/work/bot/.data/worktrees/goal-1a2b/src/price.ts:14", "src/price.ts:14"],
    ["at /work/bot/.data/worktrees/goal-1a2b.tasks/t1/src/a.ts", "at src/a.ts"],
    ["in /work/bot/.data/worktrees/goal-1a2b", "in ."],
    ["/work/bot/.data/worktrees/goal-1a2b-verify/test/a.test.js", "test/a.test.js"],
    ["(/work/bot/.data/places/goal-1/0123456789ab/project/test/a.js:3:5)", "(test/a.js:3:5)"],
    ["/tmp/0123456789ab-Xy12zQ/project/a.js", "a.js"],
    ["/workspace/project/lib/x.js", "lib/x.js"],
    ["cannot read /home/ana/.npmrc", "cannot read …/.npmrc"],
    ["'/root/.ssh/id_ed25519': denied", "'…/id_ed25519': denied"],
    ["file:///usr/lib/node_modules/npm/index.js:3", "…/index.js:3"],
    ["/work/other/secret.txt", "…/secret.txt"],
    ["PATH=/usr/bin:/usr/local/bin", "PATH=…/bin:…/bin"],
    ["http://localhost:3000/home/x", "http://localhost:3000/home/x"],
    ["/var/log/app/", "…/app"],
    ["GET /api/v1/orders 500", "GET /api/v1/orders 500"],
    ["see https://example.com/usr/share/x", "see https://example.com/usr/share/x"],
    ["src/home/etc/a.ts", "src/home/etc/a.ts"],
    ["./tmp/a and ../var/b and ~/etc/c", "./tmp/a and ../var/b and ~/etc/c"],
    ["> /dev/null", "> /dev/null"],
    ["1/2 and / and //", "1/2 and / and //"],
    [String.raw`{"file":"\/home\/ana\/secret\/x"}`, '{"file":"…/x"}'],
    [String.raw`"\/work\/bot\/.data\/worktrees\/goal-1a2b\/src\/a.php"`, '"src/a.php"'],
    ["cc -I/home/ana/include -L/usr/lib/x a.c", "cc -I…/include -L…/x a.c"],
    ["//home/ana/x and file:////home/ana/y", "…/x and …/y"],
    ["webpack:///home/ana/app/a.ts:3 and sqlite:////work/bot/.data/x.db", "webpack:…/a.ts:3 and sqlite:…/x.db"],
    ["webpack:///./src/a.ts and webpack:///src/home/a.ts", "webpack:///./src/a.ts and webpack:///src/home/a.ts"],
    ["//var total = 3; //home", "//var total = 3; //home"],
    [
      String.raw`/api\/home\/x/ and a-b/etc/x and //cdn.example/usr/x`,
      String.raw`/api\/home\/x/ and a-b/etc/x and //cdn.example/usr/x`,
    ],
    ["?path=%2Fhome%2Fme%2Fx&y=1 and %252fhome%252Fme", "?path=…/x&y=1 and …/me"],
    ["%2Fwork%2Fbot%2F.data%2Fworktrees%2Fgoal-1a2b%2Fsrc%2Fa.ts", "src/a.ts"],
    ["file%3A%2F%2F%2Fhome%2Fana%2Fmy%20x and a%3D%2Fetc%2Fy", "…/my%20x and a=…/y"],
    [
      "https://e.example/src%2Fhome%2Fx and https%3A%2F%2Fe.example%2Fhome%2Fx and 100%",
      "https://e.example/src%2Fhome%2Fx and https%3A%2F%2Fe.example%2Fhome%2Fx and 100%",
    ],
    ["file://localhost/home/me/x FILE:///home/me/y vscode://file/home/me/z:3", "…/x …/y vscode:…/z:3"],
    [String.raw`C:\Users\me\app\x.ts:3:4 and d:\Users\me`, "…/x.ts:3:4 and …/me"],
    [String.raw`"C:\\Users\\me\\x" D:\a\repo\x.cs(3,4)`, '"…/x" …/x.cs(3,4)'],
    ["C:/Users/me and file:///C:/Users/me/x.js and C%3A%5CUsers%5Cme%5Cy", "…/me and …/x.js and …/y"],
    [String.raw`C:\Program Files (x86)\x\y.exe /c/Users/me/z`, "…/y.exe …/z"],
    [
      String.raw`N:\n and a:/b/c and key:\Users and C:\n and s:/x/y/`,
      String.raw`N:\n and a:/b/c and key:\Users and C:\n and s:/x/y/`,
    ],
  ])("%s is said as %s [F-402]", (said, shown) => {
    expect(hidePaths(said, places)).toBe(shown);
  });

  it("are hidden wherever a card says something, but not in what a person wrote or in a change of a file [F-402]", () => {
    const path = "/home/ana/x.txt";
    const card = chatCard(
      plainCard({
        kind: "notice",
        tone: "bad",
        title: path,
        summary: path,
        state: path,
        blocks: [
          text(path, { strong: path }, { code: path }, { link: path, to: "/goals/goal-1" }),
          { type: "note", text: [path] },
          { type: "list", items: [[path]] },
          { type: "fields", fields: [{ label: "Where", value: [path] }] },
          { type: "code", text: path },
          { type: "code", text: `+${path}`, isDiff: true },
        ],
      }),
      places,
    );
    const shown = JSON.stringify(card);
    expect(shown.split("…/x.txt").length - 1).toBe(10);
    expect(shown.split(path).length - 1).toBe(2);
    expect(card.blocks.at(-1)).toEqual({ type: "code", text: `+${path}`, isDiff: true });
  });
});
