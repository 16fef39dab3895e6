import { describe, expect, it } from "vitest";
import { parsePlanFile } from "../../../src/core/campaigns/outline.ts";
import type { Plan } from "../../../src/core/campaigns/plan.ts";
import { goalKeys } from "../../../src/core/goals/new-goal.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { request } from "./plans.ts";

interface Beside {
  readonly goal?: string;
  readonly days?: number;
}

function parse(text: string, { goal, days }: Beside = {}): ReturnType<typeof parsePlanFile> {
  return parsePlanFile(text, { goal: goal ?? null, days: days ?? null, policy: defaultPolicy });
}

function planOf(text: string, beside: Beside = {}): Plan {
  const parsed = parse(text, beside);
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("\n"));
  return parsed.plan;
}

function problemsOf(text: string, beside: Beside = {}): readonly string[] {
  const parsed = parse(text, beside);
  return parsed.type === "invalid" ? parsed.problems : [];
}

/** Each day's goals, with the names of their milestones. */
function shown(plan: Plan): string[][] {
  return plan.days.map((goals) =>
    goals.map(({ request, milestone }) => `${plan.milestones[milestone ?? -1]?.name}: ${request.content}`),
  );
}

const outline = `# Ship dark mode

Everybody reads at *night*.

- Look around

## Tokens (day 2)

Colours as variables.

**Done when:**
- no literal colour is left
- the tests pass

Goals:

- [ ] Replace colours in \`src/a.css\`
  - tags: ui, ux
  - cost: $3.50
  - run: \`npm test\`
  - also the logo
- [x] Find a name
  - cost: nonsense, which nobody reads any more

### Day 2
1. Second
   - minutes: 90
   - allow: src/{a,b}.ts, tests/**
   - feature: dark
   - issue: 3

<!-- not for anybody -->

## Release

- Ship it
  - day: 3
  - priority: high
`;

describe("a Markdown outline", () => {
  it("is a plan: title, milestones, goals with their options, days", () => {
    expect(parse(outline)).toEqual({
      type: "ok",
      plan: {
        name: "Ship dark mode",
        goal: "Ship dark mode\n\nEverybody reads at *night*.",
        milestones: [
          { name: "Ship dark mode", description: "", targetDay: 1, successCriteria: [] },
          {
            name: "Tokens",
            description: "Colours as variables.",
            targetDay: 2,
            successCriteria: ["no literal colour is left", "the tests pass"],
          },
          { name: "Release", description: "", targetDay: 3, successCriteria: [] },
        ],
        days: [
          [
            { milestone: 0, request: request("Look around") },
            {
              milestone: 1,
              request: request("Replace colours in `src/a.css`\n\n- also the logo", {
                tags: ["ui", "ux"],
                costUsd: 3.5,
                run: "npm test",
              }),
            },
          ],
          [
            {
              milestone: 1,
              request: request("Second", {
                minutes: 90,
                allow: ["src/{a,b}.ts", "tests/**"],
                linkage: { kind: "feature", feature: "dark", issue: "3" },
              }),
            },
          ],
          [{ milestone: 2, request: request("Ship it", { priority: "high" }) }],
        ],
        notes: ["1 goal marked done: left out.", "2 goals without minutes: 60 each are assumed."],
      },
    });
  });

  it("without milestones is one, named like the campaign", () => {
    expect(shown(planOf("# Tidy up\n* one\n* two\n"))).toEqual([["Tidy up: one", "Tidy up: two"]]);
  });

  it("may be a bare list when the goal is said beside it; line ends and marks of other systems are fine", () => {
    const plan = planOf("\uFEFF- one\r\n- two: with a colon\r\n", { goal: "Tidy up\nall of it" });

    expect(plan.name).toBe("Tidy up all of it");
    expect(plan.goal).toBe("Tidy up\nall of it");
    expect(shown(plan)).toEqual([["Tidy up all of it: one", "Tidy up all of it: two: with a colon"]]);
  });

  it("keeps its title as the name when a goal is said beside it", () => {
    const plan = planOf("# Night\n- one\n", { goal: "Ship dark mode" });

    expect([plan.name, plan.goal]).toEqual(["Night", "Ship dark mode"]);
  });

  it("its name is its first 50 characters, whole ones [S4-PN-02]", () => {
    expect(planOf(`# ${"x".repeat(60)}\n- one\n`).name).toBe("x".repeat(50));
    expect(planOf(`# ${"🌙".repeat(60)}\n- one\n`).name).toBe("🌙".repeat(50));
  });

  it("goals of a later milestone never lie before those of an earlier one", () => {
    const text = `# T\n## A\n${"- a\n".repeat(5)}## B\n${"- b\n".repeat(4)}## C\n- c\n`;

    expect(shown(planOf(text, { days: 4 }))).toEqual([
      ["A: a", "A: a", "A: a"],
      ["A: a", "A: a", "B: b"],
      ["B: b", "B: b"],
      ["B: b", "C: c"],
    ]);
  });

  it("a day ends with its milestone", () => {
    expect(shown(planOf("# T\n## A\n### Day 2\n- a\n## B\n- b\n", { days: 3 }))).toEqual([[], ["A: a"], ["B: b"]]);
  });

  it("a milestone of which everything is done is left out; one without goals stays when it has a day", () => {
    const plan = planOf("# T\n## A\n- [x] a\n## B\n- b\n## Review (by day 1)\nA person looks.\n");

    expect(plan.milestones.map(({ name, targetDay }) => [name, targetDay])).toEqual([
      ["B", 1],
      ["Review", 1],
    ]);
    expect(shown(plan)).toEqual([["B: b"]]);
    expect(plan.notes).toContain('Everything of the milestone "A" is marked done: it is left out.');
  });

  it.each<[string, string, Beside, string]>([
    ["days that no goal needs", "# T\n- a\n", { days: 3 }, "The goals fill 1 of the 3 days given."],
    ["days without a goal", "# T\n- a\n- b\n  - day: 3\n", {}, "Nothing is planned on day 2."],
    ["several days without a goal", "# T\n- a\n  - day: 4\n", {}, "Nothing is planned on days 1, 2 and 3."],
    ["days that are too full", `# T\n${"- a\n".repeat(8)}`, { days: 1 }, "More than 360 minutes of work on day 1."],
    ["a day after the last goal", "# T\n## A (day 4)\n- a\n", {}, '"A" is due on day 4, after the last goal.'],
  ])("says what it took for granted: %s", (_what, text, beside, note) => {
    expect(planOf(text, beside).notes).toContain(note);
  });

  it("a milestone is not due after the last day", () => {
    expect(planOf("# T\n## A (day 4)\n- a\n").milestones[0]?.targetDay).toBe(1);
  });

  it.each<[string, string, Beside, string]>([
    ["nothing", " \n", {}, "the plan: it is empty"],
    ["only words", "# T\nWords.\n", {}, "the plan: it has no goals: they are list items"],
    ["no goal of the whole", "- a\n", {}, "the plan: it has no goal: give it a title"],
    ["a goal that is too long", "- a\n", { goal: "x".repeat(20_001) }, "its goal has 20001 characters, at most 20000"],
    ["everything done", "# T\n- [x] a\n", {}, "the plan: every goal is marked done"],
    ["a second title", "# T\n- a\n\n# U\n", {}, 'line 4: "# U" is a second title'],
    ["a heading nobody knows", "# T\n- a\n### Notes\n", {}, 'line 3: "### Notes" is not understood'],
    ["a deep heading", "# T\n- a\n#### Day 1\n", {}, 'line 3: "#### Day 1" is not understood'],
    ["a day as a milestone", "# T\n## Day 1\n- a\n", {}, 'line 2: "## Day 1" names a day: days are "### Day 1"'],
    ["a milestone that is only a day", "# T\n## (day 1)\n- a\n", {}, "line 2: "],
    ["a heading without words", "# T\n##\n- a\n", {}, "line 2: a heading without words"],
    ["a milestone twice", "# T\n## A\n- a\n## A\n- b\n", {}, 'line 4: a second milestone named "A"'],
    ["an empty milestone", "# T\n## A\n## B\n- b\n", {}, 'line 2: the milestone "A" has neither goals nor a day'],
    ["a long name", `# T\n## ${"x".repeat(201)}\n- a\n`, {}, "line 2: its name has 201 characters, at most 200"],
    ["a goal without words", "# T\n- \n  - cost: 3\n", {}, "line 2: the goal's text is empty"],
    ["a goal that is too long", `# T\n- ${"x".repeat(20_001)}\n`, {}, "line 2: the goal's text has 20001 characters"],
    ["an unknown option", "# T\n- a\n- b\n  - colour: red\n", {}, 'line 4: "colour:" is no option of a goal; they are'],
    ["an option twice", "# T\n- a\n  - cost: 1\n  - cost: 2\n", {}, 'line 4: "cost:" is there twice'],
    ["a cost with thousands", "# T\n- a\n  - cost: 1,000\n", {}, "line 3: cost: expected a number"],
    ["a cost that is none", "# T\n- a\n  - cost: much\n", {}, "line 3: cost: expected a number"],
    ["a cost below 0", "# T\n- a\n  - run: x\n  - cost: -4\n", {}, "line 4: cost: expected at least 0"],
    [
      "a priority that is none",
      "# T\n- a\n  - priority: urgent\n",
      {},
      "line 3: priority: expected one of high, medium, low",
    ],
    ["a command with tasks", "# T\n- a\n  - run: x\n  - tasks: y\n", {}, "--run and --tasks cannot be combined"],
    ["a feature without an issue", "# T\n- a\n  - feature: x\n", {}, "--feature needs --issue"],
    ["a day that is none", "# T\n- a\n  - day: soon\n", {}, 'line 3: day: a number is expected, not "soon"'],
    ["day 0", "# T\n- a\n  - day: 0\n", {}, "line 3: day 0 is not there: days are whole numbers from 1 to 60"],
    ["half a day", "# T\n- a\n  - day: 1.5\n", {}, "line 3: day 1.5 is not there"],
    ["day 61", "# T\n### Day 61\n- a\n", {}, "line 3: day 61 is not there"],
    [
      "a day after the last",
      "# T\n## A (day 4)\n- a\n",
      { days: 3 },
      "line 2: day 4 is after the last of the 3 days given",
    ],
    ["no day", "# T\n- a\n", { days: 0 }, "the plan: it takes a whole number of days from 1 to 60, not 0"],
    ["61 days", "# T\n- a\n", { days: 61 }, "not 61"],
    ["work for 61 days", `# T\n${"- a\n  - minutes: 360\n".repeat(61)}`, {}, "the plan: it needs 61 days, at most 60"],
    ["21 goals a day", `# T\n### Day 1\n${"- a\n".repeat(21)}`, {}, "day 1: has 21 goals, at most 20 a day are taken"],
    [
      "more goals than days take",
      `# T\n${"- a\n".repeat(21)}`,
      { days: 1 },
      "has 21 goals: no more than 20 fit in 1 day",
    ],
    [
      "21 milestones",
      `# T\n${Array.from({ length: 21 }, (_, n) => `## M${n}\n- a\n`).join("")}`,
      {},
      "has 21 milestones",
    ],
    [
      "a goal after its milestone is due",
      "# T\n## A (day 1)\n- a\n  - day: 2\n",
      {},
      "line 3: lies on day 2, and its milestone is due on day 1: move one of them",
    ],
    [
      "a label that belongs to a goal",
      "# T\n## A\n- a\nDone when:\n- x\n",
      {},
      'line 3: "Done when:" needs an empty line',
    ],
  ])("with %s is refused with its place", (_what, text, beside, problem) => {
    expect(problemsOf(text, beside).join("\n")).toContain(problem);
  });

  it("names every problem, not only the first", () => {
    const text = "# T\n- a\n  - cost: x\n- b\n  - foo: bar\n- c\n  - minutes: 0\n";

    expect(problemsOf(text).map((problem) => problem.split(":")[0])).toEqual(["line 3", "line 5", "line 7"]);
  });

  it("names them in the order of their lines, and last what has none", () => {
    const text = "# T\n## A\n- a\n## A\n- b\n  - day: 0\n";

    expect(problemsOf(text).map((problem) => problem.split(":")[0])).toEqual(["line 4", "line 6"]);
  });

  it("hundreds of problems are fifty and a number", () => {
    const problems = problemsOf(`# T\n${"- a\n  - cost: x\n".repeat(300)}`);

    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe("and 250 more problems");
  });
});

describe("the options of a goal in an outline", () => {
  it("are all keys of a goals file but its text and its order, as are flags", () => {
    const problem = problemsOf("# T\n- a\n- b\n  - colour: red\n").join();
    const own = goalKeys.filter((key) => !["text", "content", "description", "name", "after"].includes(key));
    const [, known = ""] = /they are (.*)$/.exec(problem) ?? [];
    expect(known.split(", ").toSorted()).toEqual([...own, "day"].toSorted());

    const [[goal] = []] = planOf("# T\n- a\n  - done-when: `npm test`\n  - unplanned: yes\n- b\n").days;
    expect(goal?.request).toMatchObject({ doneWhen: "npm test", isUnplanned: true });
    expect(problemsOf("# T\n- a\n  - unplanned: perhaps\n- b\n").join()).toContain("unplanned: expected true or false");
  });
});

describe("a list of goals", () => {
  it.each<[string, string]>([
    ["YAML", "- Look around\n- text: Ship it\n  cost: 2\n  tags: ui\n  day: 2\n"],
    [
      "YAML with words for it",
      "# ours\ngoals:\n  - Look around\n  - {description: Ship it, cost: 2, tags: [ui], day: 2}\n",
    ],
    ["JSON", '[{"text": "Look around"}, {"content": "Ship it", "cost": 2, "tags": ["ui"], "day": 2}]'],
    [
      "JSON with tabs",
      '{\n\t"goals": [\n\t\t"Look around",\n\t\t{"text": "Ship it", "cost": 2, "tag": "ui", "day": 2}\n\t]\n}',
    ],
  ])("in %s is a plan", (what, text) => {
    // A list of strings and objects begins like an outline: the quotes or the key tell.
    const source = what === "YAML" ? text.replace("- Look around", '- "Look around"') : text;
    const plan = planOf(source, { goal: "Night" });

    expect(plan.days).toEqual([
      [{ milestone: 0, request: request("Look around") }],
      [{ milestone: 0, request: request("Ship it", { costUsd: 2, tags: ["ui"] }) }],
    ]);
    expect(plan.milestones).toEqual([{ name: "Night", description: "", targetDay: 2, successCriteria: [] }]);
  });

  it.each<[string, string, object]>([
    ["priority", "- priority: high\n  text: Ship it\n", { priority: "high" }],
    ["cost, behind a comment", "# ours\n- cost: 2\n  text: Ship it\n", { costUsd: 2 }],
    ["run", '- run: "true"\n  content: Ship it\n', { run: "true" }],
    ["tags", "- tags:\n    - ui\n  description: Ship it\n", { tags: ["ui"] }],
    ["day", "-   day: 1\n    text: Ship it\n", {}],
  ])("is one whatever key of a goal comes first: %s", (_key, text, more) => {
    expect(planOf(text, { goal: "Night" }).days[0]?.map((each) => each.request)).toEqual([request("Ship it", more)]);
  });

  it("of which the first goal lacks its text is refused, and is no outline of goals that are called like keys", () => {
    const text = "- bug: a\n  spec: specs/b.md\n- text: Ship it\n";

    expect(problemsOf(text, { goal: "Night" })).toEqual(["goal 1 (line 1): the goal's text is empty"]);
    expect(problemsOf("- name: a\n  text: Ship it\n", { goal: "Night" })[0]).toContain("the days order its goals");
  });

  it("is not what an outline has where a goal begins with the word of a key", () => {
    expect(shown(planOf("# Tidy up\n- bug: prices are wrong\n  - cost: 2\n- spec: text of it\n"))).toEqual([
      ["Tidy up: bug: prices are wrong", "Tidy up: spec: text of it"],
    ]);
    expect(shown(planOf("# Tidy up\n- tags: list them\n  description: of each a page\n- Search\n"))).toEqual([
      ["Tidy up: tags: list them\ndescription: of each a page", "Tidy up: Search"],
    ]);
  });

  it("has milestones of its own, with days and criteria; goals are put with theirs", () => {
    const plan = planOf(
      [
        "name: Night",
        "goal: Ship dark mode",
        "milestones:",
        "  - name: Tokens",
        "    description: Colours as variables",
        "    day: 1",
        "  - {name: Release, criteria: [it is out, nobody complains]}",
        "goals:",
        "  - {text: ship, milestone: Release}",
        "  - first",
        "  - {text: colours, milestone: Tokens}",
      ].join("\n"),
    );

    expect([plan.name, plan.goal]).toEqual(["Night", "Ship dark mode"]);
    expect(plan.milestones).toEqual([
      { name: "Night", description: "", targetDay: 1, successCriteria: [] },
      { name: "Tokens", description: "Colours as variables", targetDay: 1, successCriteria: [] },
      { name: "Release", description: "", targetDay: 1, successCriteria: ["it is out", "nobody complains"] },
    ]);
    expect(shown(plan)).toEqual([["Night: first", "Tokens: colours", "Release: ship"]]);
  });

  it("names milestones by its goals when it lists none", () => {
    const text = "- {text: a, milestone: B}\n- {text: b, milestone: A}\n- {text: c, milestone: B}\n";

    expect(shown(planOf(text, { goal: "G", days: 3 }))).toEqual([["B: a"], ["B: c"], ["A: b"]]);
  });

  it.each<[string, string, string]>([
    ["broken YAML", "goals: [a", "line 1: "],
    ["broken JSON", '{"goals": [\n  "a",,\n]}', "line 2: "],
    ["no list", "goals: 3", "line 1 (goals): expected a list"],
    ["an unknown key", "goals: [a]\ncolour: red\n", 'the plan: "colour" is not known here'],
    ["no goals", "name: x\ngoals: []\n", "the plan: it has no goals"],
    ["a milestone without a name", "goals: [a]\nmilestones:\n  - day: 2\n", "line 3 (milestones.0.name): "],
    ["a milestone's unknown key", "goals: [a]\nmilestones:\n  - {name: A, due: 2}\n", '"due" is not known here'],
    [
      "a milestone's empty self",
      "goals: [a]\nmilestones:\n  - name: A\n",
      'line 3: the milestone "A" has neither goals',
    ],
    [
      "a goal of an unknown milestone",
      "milestones: [{name: A, day: 1}]\ngoals: [{text: a, milestone: B}]",
      'goal 1 (line 2): "B" is none of the milestones',
    ],
    [
      "a goal's unknown key",
      "- text: a\n- text: b\n  colour: red\n",
      'goal 2 (line 2): entry: "colour" is not known here',
    ],
    ["a goal that is a number", "- text: a\n- 3\n", "goal 2 (line 2): entry: expected names with values"],
    ["a goal that is nothing", "- text: a\n-\n", "goal 2 (line 2): entry: expected names with values"],
    ["a day that is none", "- text: a\n  day: soon\n", "goal 1 (line 1): day: expected a number"],
    ["a key that is none", "- text: a\n  milestne: b\n", "tasks, parallel, milestone, day"],
    ["day 61", "- text: a\n  day: 61\n", "goal 1 (line 1): day 61 is not there"],
    ["a key twice", "- text: a\n  cost: 1\n  cost: 2\n", 'line 3: "cost" is there twice'],
    ["an alias of nothing", "goals: [*nobody]", "line 1: Unresolved alias"],
    ["two documents", "goals: [a]\n---\ngoals: [b]\n", "line 2: "],
  ])("with %s is refused with its place", (_what, text, problem) => {
    expect(problemsOf(text, { goal: "G" }).join("\n")).toContain(problem);
  });
});

describe("whatever a file holds", () => {
  const size = 100_000;
  const fill = (text: string): string => text.repeat(Math.floor(size / text.length));
  const bomb = `a: &a [${"x,".repeat(9)}]\nb: &b [${"*a,".repeat(9)}]\nc: &c [${"*b,".repeat(9)}]\ngoals: [*c,*c,*c,*c]`;
  const stairs = Array.from({ length: 3000 }, (_, index) => `${"  ".repeat(index)}- goal`).join("\n");

  it.each<[string, string]>([
    ["a megabyte", "x".repeat(1_000_000)],
    ["a line that never ends", `# T\n- ${"a ".repeat(40_000)}`],
    ["emphasis that never closes", fill("_a_ \n")],
    ["rows of a table", fill("a\n-|-\n")],
    ["brackets", fill("[\n")],
    ["braces", fill("{\n")],
    ["brackets that close", fill("[]\n")],
    ["brackets as goals", fill("- [\n]\n")],
    ["quotes in quotes", fill("> ").slice(0, 20_000)],
    ["lists in lists", fill("- ").slice(0, 20_000)],
    ["a stair of lists", stairs.slice(0, size)],
    ["a stair that goes up and down", Array.from({ length: 4000 }, (_, n) => `${"  ".repeat(n % 30)}- a`).join("\n")],
    ["lists of two kinds", fill("+ a\n* b\n")],
    ["numbered lists of two kinds", fill("1) a\n2. b\n")],
    ["headings", fill("## a\n")],
    ["spaces in a heading", `# a${" ".repeat(20_000)}(day`],
    ["HTML", fill("<div>\n<!-- ")],
    ["references", fill("[a]: b\n")],
    ["keys", `goals: [a]\n${Array.from({ length: 15_000 }, (_, index) => `k${index}: 1`).join("\n")}`],
    ["the same key", `goals: [a]\n${fill("k: 1\n")}`],
    ["anchors", fill("- &a x\n")],
    ["aliases of aliases", bomb],
    ["tags and directives", fill("%TAG ! x\n")],
    ["prototypes", "goals:\n  - {text: a, __proto__: {run: x}, constructor: 1}\n"],
    ["NUL and other controls", "# T\u0000\u0001\n- a\u0000b\n  - c\u0000ost: 3\n"],
    ["half characters", "# \uD800\n- \uDC00 a\n"],
    ["old line ends", "# T\r- a\r- b\r"],
  ])("%s gets an answer", (_what, text) => {
    const parsed = parse(text, { goal: "G" });

    expect(parsed.type === "ok" ? parsed.plan.days.length : parsed.problems.length).toBeGreaterThan(0);
  });

  it("controls are replaced, and a goal that a prototype would change has nothing of it", () => {
    expect(shown(planOf("# T\u0000\n- a\u0001b\n"))).toEqual([["T\uFFFD: a\uFFFDb"]]);
    const sly = parse('goals:\n  - {"text": "a", "__proto__": {"run": "x"}}\n', { goal: "G" });
    expect(sly.type === "ok" ? sly.plan.days[0]?.[0]?.request.run : null).toBeNull();
  });
});
