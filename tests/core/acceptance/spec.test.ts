import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { criteriaOfCommand } from "../../../src/core/acceptance/one-command.ts";
import { parsePassCondition, unmet } from "../../../src/core/acceptance/pass-condition.ts";
import { contractOf } from "../../../src/core/acceptance/goal-contract.ts";
import { inPlainYaml } from "../../../src/core/acceptance/shell-not.ts";
import { keptSpec, looksLikeSpec, parseSpec, type Spec, specProblems } from "../../../src/core/acceptance/spec.ts";

const seed = readFileSync(join(import.meta.dirname, "../../fixtures/verification-first.md"), "utf8");

function specOf(text: string): Spec {
  const parsed = parseSpec(text);
  if (parsed.type === "invalid") throw new Error(JSON.stringify(parsed.problems));
  return parsed.spec;
}

const criterion = (yaml: string, id = "AC-1") =>
  `#### ${id}: Tests pass\n**Description**: They do.\n\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;

describe("a criteria file", () => {
  it("like seed 002 holds 29 criteria with methods, checks, examples and sub-agents [S2-IN-03, S2-RJ-05]", () => {
    const { criteria, agents } = specOf(seed);

    expect(criteria.map((each) => each.id)).toEqual(Array.from({ length: 29 }, (_, index) => `AC-${index + 1}`));
    const methods = criteria.map((each) => each.verification.method);
    expect(methods.filter((each) => each === "bash").length).toBe(14);
    expect(methods.filter((each) => each === "subagent").length).toBe(15);
    const [first] = criteria;
    expect(first).toMatchObject({
      slug: "accepts-spec-file-path",
      description: expect.stringContaining("Skill accepts path") as string,
    });
    expect(first?.verification).toMatchObject({
      agent: "input-handler-checker",
      checks: expect.arrayContaining(["Skill reads $ARGUMENTS as file path"]) as string[],
    });
    const todos = criteria.find((each) => each.id === "AC-5");
    expect(todos?.accepted[0]).toContain("- [ ] Verify AC-1: error-handling-pattern");
    expect(todos?.rejected[0]).toContain("# BAD - step-based, not criteria-based");
    expect(criteria.find((each) => each.id === "AC-29")?.verification).toMatchObject({ command: "npm test" });
    expect(criteria.find((each) => each.id === "AC-14")?.verification).toMatchObject({
      command: "python scripts/validate_done_output.py",
    });
    expect(agents["todo-pattern-checker"]).toContain("criteria IDs");
  });

  it("keeps manual methods with what a person should do, and unknown ones for the run to fail [S2-DN-11]", () => {
    const spec = specOf(
      [
        criterion("method: manual\ninstructions: press it"),
        criterion("method: manual\nchecks: [one, two]", "AC-2"),
        criterion("method: magic", "AC-3"),
      ].join("\n"),
    );
    expect(spec.criteria.map((each) => each.verification)).toEqual([
      { method: "manual", instructions: "press it" },
      { method: "manual", instructions: "- one\n- two" },
      { method: "unknown", named: "magic" },
    ]);
  });

  it("may have its labels in lines that follow one another [S2-IN-03]", () => {
    const [first, second] = specOf(
      [
        "#### AC-1: One below the other",
        "**Description**: Prices round up.",
        "**Rounding** is half up.",
        "**Verification**:",
        "```yaml\nmethod: bash\ncommand: npm test\n```",
        "**Example (Accepted)**:",
        "```\n1.005 is 1.01\n```",
        "#### AC-2: Colons inside",
        "**Description:** Prices are shown.",
        "**Verification:**",
        "```yaml\nmethod: manual\ninstructions: look\n```",
      ].join("\n"),
    ).criteria;
    expect(first).toMatchObject({
      description: "Prices round up.\n**Rounding** is half up.",
      verification: { method: "bash", command: "npm test" },
      accepted: ["1.005 is 1.01"],
    });
    expect(second).toMatchObject({ description: "Prices are shown.", verification: { instructions: "look" } });
  });

  it("may leave the label of its verification away", () => {
    const [only] = specOf("#### AC-1: Short\n\n```yaml\nmethod: bash\ncommand: npm test\n```\n").criteria;
    expect(only?.verification).toMatchObject({ method: "bash", command: "npm test" });
  });

  it("has a time limit of 60 s unless it says otherwise [S2-DN-03]", () => {
    const [normal, longer] = specOf(
      [criterion("method: bash\ncommand: x"), criterion("method: bash\ncommand: x\ntimeout_seconds: 300", "AC-2")].join(
        "\n",
      ),
    ).criteria;
    expect([normal?.verification, longer?.verification]).toMatchObject([
      { timeoutSeconds: 60 },
      { timeoutSeconds: 300 },
    ]);
  });

  it("of one command has the time of a repository's check, and is the same as that", () => {
    const { criteria, checks } = contractOf(criteriaOfCommand("npm test"), ["npm test"], 600);

    expect(criteria[0]?.verification).toMatchObject({ command: "npm test", timeoutSeconds: 600 });
    expect(JSON.stringify(criteria[0]?.verification)).toBe(JSON.stringify(checks[0]?.verification));
  });

  it.each([
    ["! grep -rn TODO src", "! grep -rn TODO src"],
    ["! [ -f old.js ]  # it is gone", "! [ -f old.js ]"],
    ['! grep -q "a: b" src\r', '! grep -q "a: b" src'],
    ['! grep -rq "// # TODO" src  # none', '! grep -rq "// # TODO" src'],
    ["! grep -q 'it # is' a", "! grep -q 'it # is' a"],
  ])("means the shell's not by command: %s, whoever reads it as it is kept", (written, command) => {
    const text = criterion(`method: bash\ncommand: ${written}`);

    const kept = contractOf(inPlainYaml(text), [], 1).criteria;
    for (const [only] of [specOf(text).criteria, kept]) expect(only?.verification).toMatchObject({ command });
  });

  it("that was kept before is read as it was", () => {
    const [kept] = contractOf(criterion("method: bash\ncommand: ! grep -rn TODO src"), [], 1).criteria;

    expect(kept?.verification).toMatchObject({ command: "grep -rn TODO src" });
  });

  it("asks for what YAML knows, and says the rest of a text in quotes", () => {
    const [only] = specOf(
      criterion("method: bash\ncommand: &run npm test # all of them\npass_condition: !!str exit code 0\nagent: *run"),
    ).criteria;

    expect(only?.verification).toMatchObject({ command: "npm test" });
  });

  it.each([
    ["command: !grep -r TODO src", '"!grep" at its beginning is a YAML tag'],
    ["command: ! grep\n  -r TODO src", '"!" at its beginning is a YAML tag'],
    ["command: &a npm test", '"&a" at its beginning is a YAML anchor'],
    ["command: grep -q ' # x' f", '" #" begins a comment'],
    ['command: ! grep -q "it # is a', '"!" at its beginning is a YAML tag'],
    ['command: x\ninstructions: It says "Rule # 1" above', '" #" begins a comment'],
    ['command: x\nchecks:\n- It says "Rule # 1" above', '" #" begins a comment'],
    ["command: x\nchecks:\n- ! no TODO is left", '"!" at its beginning is a YAML tag'],
  ])("refuses %s, which means something else than it says", (yaml, problem) => {
    const parsed = parseSpec(criterion(`method: bash\n${yaml}`));

    expect(parsed.type === "invalid" ? parsed.problems : []).toMatchObject([
      { problem: expect.stringContaining(problem) as string },
    ]);
    expect(contractOf(criterion(`method: bash\n${yaml}`), [], 1).criteria).toHaveLength(1);
  });

  it.each([
    "command: grep -q \"it's\" a # the user's words",
    "command: grep -q it a # don't",
    "command: x\ninstructions: Look at the user's page # first, it's there",
    "command: x\nchecks:\n- The users' page, of the '90s # first",
  ])("may have comments and apostrophes: %s", (yaml) => {
    expect(parseSpec(criterion(`method: bash\n${yaml}`))).toMatchObject({ type: "ok" });
  });

  it.each<[string, string, number, string]>([
    ["plain prose [S2-IN-02]", "Just words.\n\nMore words.", 1, "invalid format: no criterion found"],
    ["an empty file", "", 1, "invalid format"],
    ["a criterion without verification", "# T\n\n#### AC-1: Title\n\nWords.\n", 3, "AC-1: has no verification"],
    ["yaml that cannot be read", `\n\n${criterion("method: [")}`, 7, "AC-1: its yaml block cannot be read"],
    ["a bash criterion without command", criterion("method: bash"), 5, "AC-1: method bash needs a command"],
    [
      "a NUL in its command",
      criterion('method: bash\ncommand: "printf a\\0b | ./prog -0"'),
      5,
      "AC-1: its command holds a NUL or half of a character, which YAML makes of \\0 in double quotes: use single ones",
    ],
    [
      "a pass condition that nobody understands",
      criterion("method: bash\ncommand: x\npass_condition: it looks fine"),
      5,
      'found "it looks fine", expected exit code N',
    ],
    [
      "an exit code that no command has",
      criterion("method: bash\ncommand: x\npass_condition: exit code 256"),
      5,
      "pass_condition: no command ends with exit code 256, expected 0 to 255",
    ],
    [
      "a broken regular expression",
      criterion("method: bash\ncommand: x\npass_condition: output matches /(/"),
      5,
      "pass_condition: Invalid regular expression",
    ],
    ...(
      [
        ["what looks ahead [F-108]", "/^(?!.*failed)/", "looks ahead or behind"],
        ["what looks behind [F-108]", "/(?<=ok )\\d+/", "looks ahead or behind"],
        ["what refers back to a group [F-108]", "/(a+) \\1/", "refers back to a group (\\1)"],
        ["what refers back to a name [F-108]", "/(?<word>a+) \\k<word>/", "refers back to a group (\\k)"],
        ["what unfolds to too much [F-108]", "/(?:(?:a{0,30}){0,30}){0,30}/", "repeat less"],
        ["a long pattern [F-108]", `/${"a".repeat(1_001)}/`, "the pattern has 1001 characters, at most 1000"],
      ] as const
    ).map(([what, pattern, problem]): [string, string, number, string] => {
      const text = criterion(`method: bash\ncommand: x\npass_condition: output matches ${pattern}`);
      return [what, text, 5, problem];
    }),
    ["a sub-agent without checks", criterion("method: subagent"), 5, "method subagent needs checks"],
    [
      "context outside of the repository",
      criterion("method: subagent\nchecks: [a]\ncontext_files: [../../etc/passwd]"),
      5,
      "lies outside of the repository",
    ],
    ["an endless time limit", criterion("method: bash\ncommand: x\ntimeout_seconds: 999999"), 5, "timeout_seconds"],
    [
      "an id twice",
      [criterion("method: manual"), criterion("method: manual")].join("\n"),
      9,
      "AC-1 is already defined in line 1",
    ],
    [
      "an id of a repository's checks",
      criterion("method: manual").replace("AC-1", "CHECK-1"),
      1,
      "CHECK-1: the checks of a repository are called so; give it another id",
    ],
    ["two megabytes", "x".repeat(2_000_000), 1, "at most 1000000 are read"],
  ])("refuses %s and names the line", (_what, text, line, problem) => {
    const parsed = parseSpec(text);
    expect(parsed.type === "invalid" ? parsed.problems : []).toContainEqual({
      line,
      problem: expect.stringContaining(problem) as string,
    });
  });

  it.each([
    "#### AC-2 Never true",
    "#### AC-2",
    "#### **AC-2**: Never true",
    "#### `AC-2`: Never true",
    "#### ac-2: Never true",
    "#### AC2: Never true",
    "#### AC-2. Never true",
    "#### AC-2： Never true",
    "#### AC-2a: Never true",
    "#### AC – 2: Never true",
    "#### AC 2 Never true",
    "####AC-2: Never true",
    "**AC-2: Never true**",
    "#### Never true",
    "- #### AC-2: Never true",
  ])("drops no criterion in silence, and says its line: %s", (heading) => {
    const slip = criterion("method: bash\ncommand: 'false'", "AC-2").replace("#### AC-2: Tests pass", heading);
    const good = criterion("method: bash\ncommand: 'true'");
    const found = (specProblems(`${good}\n${slip}`, "c.md") ?? "")
      .split("\n")
      .map((each) => Number(each.split(":")[1]));
    const first = good.split("\n").length + 1;
    expect(found.filter((line) => line >= first && line < first + 6)).not.toEqual([]);
    // Nor where it is the only one, or the first.
    if (!heading.includes("AC 2") && !heading.includes("– 2")) expect(specProblems(slip, "c.md")).not.toBeNull();
    if (heading !== "#### AC-2") expect(specProblems(`${slip}\n${good}`, "c.md")).not.toBeNull();
  });

  it("names a method that is none, which is a failure only where it was taken before", () => {
    const typo = `${criterion("method: manual")}\n${criterion("method: bsh\ncommand: x", "AC-2")}`;
    const line = typo.split("\n").findIndex((each) => each.includes("AC-2")) + 1;
    expect(specProblems(typo, "c.md")).toBe(
      `c.md:${line}: AC-2: unknown method "bsh": use bash, subagent, manual or ci`,
    );
    expect(keptSpec(typo).type).toBe("ok");
  });

  it("names what is no text in UTF-8, and what stands above the first heading", () => {
    const utf16 = `\uFFFD\uFFFD${criterion("method: manual")}`;
    expect(specProblems(utf16, "c.md")).toContain("c.md:1: this is no text in UTF-8");
    expect(parseSpec(utf16)).toEqual({
      type: "invalid",
      problems: [{ line: 1, problem: "this is no text in UTF-8: save it as UTF-8" }],
    });
    expect(looksLikeSpec(utf16)).toBe(true);
    expect(specProblems("```yaml\nmethod: bash\ncommand: x\n```\n", "c.md")).toContain("no heading is above it");
  });

  it.each([
    "# AC/DC converters\n\nWords.\n",
    "# AC97X2\n\n## UTF-8 support\n\n### AC 230 V\n\nWords.\n",
    "# Workflow\n\n```yaml\njobs:\n  build:\n    method: bash\n```\n\n```yaml\nmethod: GET\n```\n",
    "# How\n\n````markdown\n#### AC-1 x\n```yaml\nmethod: bash\n```\n````\n",
    "Work on AC-1 first.\n\n- AC-2 later\n",
  ])("takes plain words as such: %j", (text) => {
    expect([looksLikeSpec(text), specProblems(text, "c.md")]).toEqual([false, null]);
  });

  it.each([
    ["timeout: 300", "did you mean timeout_seconds?"],
    ['pass-condition: output contains "0 failures"', "did you mean pass_condition?"],
    ["passCondition: exit code 1", "did you mean pass_condition?"],
    ["expected: exit code 1", "did you mean pass_condition?"],
    ["exit_code: 1", "did you mean pass_condition?"],
    ["comand: x", "did you mean command?"],
    ["constructor: x", "known are method, ci, command"],
  ])("refuses a key that nobody knows: %s", (line, words) => {
    const text = criterion(`method: bash\ncommand: x\n${line}`);
    const parsed = parseSpec(text);
    const [key] = line.split(":");
    expect(parsed).toEqual({
      type: "invalid",
      problems: [{ line: 8, problem: expect.stringContaining(`AC-1: "${key}" is not known here: ${words}`) as string }],
    });
  });

  it("refuses a second block that says how it is verified, and takes one that is a report or an example", () => {
    const more = (label: string, yaml: string) =>
      `${criterion("method: bash\ncommand: x")}\n**${label}**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
    expect(specProblems(more("Also", "method: manual"), "c.md")).toContain("c.md:11: AC-1: a second block says how");
    expect(specProblems(more("Example (accepted)", "method: manual"), "c.md")).toBeNull();
    expect(specProblems(more("Output", "results:\n  - method: bash"), "c.md")).toBeNull();
  });

  it("holds a goal to what was taken before, whatever would be told today", () => {
    const taken = `${criterion("method: bash\ncommand: x\ntimeout: 5")}\n#### AC-2 Slip\n`;
    expect(specProblems(taken, "c.md")).not.toBeNull();
    expect(contractOf(taken, [], 1).criteria.map(({ id }) => id)).toEqual(["AC-1"]);
  });

  it.each(["true", "1", "null"])("says what to do about a command that YAML takes for something else: %s", (value) => {
    expect(specProblems(criterion(`method: bash\ncommand: ${value}`), "c.md")).toContain(
      "AC-1: command: expected text: put it in quotes (line 7)",
    );
  });

  it("survives hostile text in bounded time", () => {
    for (const text of [
      "#### AC-1: ".repeat(20_000),
      "**".repeat(100_000),
      "`".repeat(100_000),
      criterion(`method: &a [${"*a,".repeat(50)}]`),
    ]) {
      expect(parseSpec(text).type).toBe("invalid");
    }
  });
});

describe("a pass condition", () => {
  it.each<[string, number | null, string, boolean]>([
    ["exit code 0", 0, "", true],
    ["exit code 0", 1, "", false],
    ["exit code 3", 3, "", true],
    ["exit code 0", null, "", false],
    ['output contains "all \\"good\\""', 0, 'so all "good" here', true],
    ['output contains "a\\n\\tb"', 0, "a\n\tb", true],
    ['output contains "a\\nb"', 0, "anb", false],
    ['output contains "good"', 0, "bad", false],
    ['output contains "good"', 1, "good", false],
    ["output matches /^ok \\d+$/m", 0, "x\nok 12\n", true],
    ["output matches /OK/i", 0, "ok", true],
    ["output matches /a\\/b/", 0, "a/b", true],
    ['exit code 2 and output contains "usage"', 2, "usage: x", true],
    ['exit code 2, output contains "usage"', 2, "nothing", false],
  ])("%s on exit %s and %j holds: %s", (text, exitCode, output, holds) => {
    const condition = parsePassCondition(text);
    if (typeof condition === "string") throw new Error(condition);
    expect(unmet(condition, exitCode, output).length === 0).toBe(holds);
  });
});
