import { describe, expect, it } from "vitest";
import { permissionQuestion } from "../../src/turns/shared/permission.ts";
import { allowedParts, allowedWords } from "../../src/core/prompts/allowed.ts";

/** What an agent is told that it may do once, when the answer came after its turn had ended. */

/** As the grant of a question about this command is read. */
function toldOf(command: string | null, title = "Run it", locations: readonly string[] = ["src/a.ts"]): string {
  const ask = { fingerprint: "f", kind: "execute", title, command, locations, given: [] };
  const { reasons, details } = permissionQuestion(ask);
  return allowedParts([allowedWords({ action: reasons[0]?.context ?? "", details })]).join("\n\n");
}

describe("a command that was allowed late is told as it was asked", () => {
  it.each([
    ["of one line", "rm -rf build"],
    ["a heredoc", "git commit -m \"$(cat <<'EOF'\nFix: the rounding\n\nIt was wrong: by one.\nEOF\n)\""],
    ["a script", `python - <<'EOF'\n${"print('a line of it')\n".repeat(60)}EOF`],
    ["with fences of its own", "cat <<'EOF' > a.md\n```js\n````\nEOF"],
  ])("%s, whole", (_, command) => {
    expect(toldOf(command)).toContain(`allowed-once\nexecute: ${command}\n`);
    expect(toldOf(command)).not.toContain("a part is not shown");
  });

  it.each([
    ["cut", `echo ${"x".repeat(1990)}…`],
    ["masked", "curl -H 'x-api-key: [masked]' https://example.com"],
  ])("one that was %s before it was stored is no word to repeat", (_, command) => {
    expect(toldOf(command)).toContain("ask with the command that you asked with");
  });

  it("one without a command by its places, what the agent calls it behind them: two of one title are told apart", () => {
    expect(toldOf(null, "Edit file")).toContain("allowed-once\nexecute: src/a.ts (Edit file)\n");
    const places = Array.from({ length: 20 }, (_, index) => `/etc/${"x".repeat(60)}/${index}`);
    expect(toldOf(null, "Edit files", places)).toContain(`allowed-once\nexecute: ${places.join(", ")}\n`);
  });

  it("what else it is given, also where its words were too long for a card", () => {
    const given = [`stdin: ${"x".repeat(400)}`, `text: ${"y".repeat(400)}`];
    const asked = permissionQuestion({
      fingerprint: "f",
      kind: "execute",
      title: "",
      command: "sh",
      locations: ["/a"],
      given,
    });
    const action = asked.reasons[0]?.context ?? "";
    expect(allowedWords({ action, details: asked.details })).toBe(`execute: sh (${given.join(", ")})`);
  });

  it("a place once in the question and once behind it", () => {
    const of = { fingerprint: "f", kind: "other", title: "Send", locations: ["/a"], given: ["to: b"] };
    const { reasons, details } = permissionQuestion({ ...of, command: null });
    expect(reasons[0]?.context).toBe("The agent asks to other: /a (Send; to: b)");
    expect(details).toEqual(["/a (Send; to: b)"]);
    expect(permissionQuestion({ ...of, command: "sh" }).details).toEqual(["sh (to: b)", "/a"]);
  });

  it("one without either by its title; none at all says nothing", () => {
    expect(toldOf(null, "Delete the folder", [])).toContain("allowed-once\nexecute: Delete the folder\n");
    expect(allowedParts([])).toEqual([]);
  });
});
