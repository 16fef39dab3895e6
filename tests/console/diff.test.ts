import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHighlight } from "../../src/console/highlight.ts";
import { eventually } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
});
afterEach(() => world.close());

async function worked(run: string): Promise<string> {
  await world.repository({ "src/price.ts": 'export const price = "one";\n', "a.txt": "a\n" });
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Change it", "--run", run));
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

describe("what a goal changes", () => {
  it("is a page of its own, file by file, in colours, with what is in it as text", async () => {
    const goalId = await worked(
      `printf '/* two\\nlines */\\nexport const price = "<b>two</b>";\\n' > src/price.ts; printf 'a = "\\342\\200\\256b"\\n' > turned.py; printf '<script>1</script>\\n' > b.unknown`,
    );

    // Colours may take half a second of a page: on a busy machine what they need is loaded by the first.
    const text = await eventually("a page with colours", async () => {
      const answer = await world.get(`/goals/${goalId}/diff`);
      expect(answer.status).toBe(200);
      const page = await answer.text();
      return page.includes("hljs-comment") ? page : null;
    });

    expect(text).toContain("3 files, +5 −1");
    expect([...text.matchAll(/<h2><code>([^<]+)</g)].map((each) => each[1])).toEqual([
      "b.unknown",
      "src/price.ts",
      "turned.py",
    ]);
    // A comment of two lines has its colour on both.
    expect(text).toContain('<span class="hljs-comment">/* two</span></code>');
    expect(text).toContain('<span class="hljs-comment">lines */</span></code>');
    expect(text).toContain("⟨U+202E⟩b");
    expect(text).toContain("&lt;b&gt;two&lt;/b&gt;");
    expect(text).toContain("<code>&lt;script&gt;1&lt;/script&gt;</code>");
    expect(text).toContain(`<tr class="removed"><td class="number">1</td><td class="sign">−</td>`);
    expect(await (await world.get(`/goals/${goalId}`)).text()).toContain(`href="/goals/${goalId}/diff"`);
  });

  it("is shown in its first fifteen hundred lines", async () => {
    const goalId = await worked("seq 3000 > many.txt");

    const text = await (await world.get(`/goals/${goalId}/diff`)).text();

    expect(text.match(/<tr class="added">/g)?.length).toBeGreaterThan(1_400);
    expect(text).not.toContain("<code>1501</code>");
    expect(text).toContain("Only the beginning is shown. The whole:");
  });

  it("is said in words where there is none, and unknown goals are", async () => {
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Later", "--run", "true"));

    expect(await (await world.get(`/goals/${goalId}/diff`)).text()).toContain("has no recorded work yet");
    expect((await world.get("/goals/goal-00000000/diff")).status).toBe(404);
  });
});

describe("colours of code", () => {
  it("leave text that is too long, or of no language that is known, as it is", () => {
    expect(makeHighlight()("a.ts", ["const a = 1;"])).toHaveLength(1);
    expect(makeHighlight()("Dockerfile", ["FROM node:22"])?.[0]).toContain("hljs-keyword");
    expect(makeHighlight()("a.nothing", ["const a = 1;"])).toBeNull();
    expect(makeHighlight()("a.ts", ["x".repeat(1001)])).toBeNull();
    expect(
      makeHighlight()(
        "a.ts",
        Array.from({ length: 300 }, () => "x".repeat(100)),
      ),
    ).toBeNull();
  });

  it.each([
    ["a.cs", `${"abc ".repeat(10)}\n`],
    ["a.cpp", `${"a".repeat(999)}\n`],
  ])("of a whole page end soon where the text of %s was made to take long", (path, line) => {
    const lines = line.repeat(Math.floor(20_000 / line.length)).split("\n");
    const highlight = makeHighlight();

    for (let hunk = 0; hunk < 3; hunk += 1) highlight(path, lines);

    expect(highlight("a.ts", ["const a = 1;"])).toBeNull();
    expect(makeHighlight()("a.ts", ["const a = 1;"])).toHaveLength(1);
  });

  it("never carry markup of the text, whatever it is", () => {
    const hostile = [
      "`${'</span><img src=x onerror=alert(1)>'}",
      "/* </code><script>",
      "&lt;b&gt; \u0000 \u202e */ ${`",
    ];
    for (const name of ["a.ts", "a.html", "a.md", "a.php", "a.css", "a.sh"])
      for (const line of makeHighlight()(name, hostile) ?? [])
        expect(line.replaceAll(/<\/?span(?: class="[\w -]+")?>/g, "")).not.toMatch(/[<>]/);
  });
});
