import { describe, expect, it } from "vitest";
import { filesShown, lookedAfter, readExamination } from "../../../src/core/acceptance/examination.ts";
import {
  type SeenReferences,
  readReference,
  referencesIn,
  referencesOf,
  whyUnproven,
} from "../../../src/core/acceptance/shown.ts";

const nonce = "0a1b2c";
const checks = ["errors use AppError", "nothing is swallowed"];
const looked: SeenReferences = { lines: { "src/a.ts": 50, "src/b.ts": 1 }, ran: ["`grep -r catch src`"] };

const answer = (entries: readonly [number, boolean, string][], examination: string = nonce): string =>
  JSON.stringify({ examination, checks: entries.map(([check, pass, evidence]) => ({ check, pass, evidence })) });
const good: [number, boolean, string][] = [
  [1, true, "src/a.ts:12 throws AppError"],
  [2, true, "src/b.ts:1 and `grep -r catch src` prints nothing"],
];

/** An answer to the first check with more in it, before anything else. */
const other = (more: object, pass: unknown): string =>
  JSON.stringify({ ...more, examination: nonce, checks: [{ check: 1, pass, evidence: "src/a.ts:1" }] });

/** What passes of the two checks; null: there is no answer. */
function passes(message: string, isTranscript = false): boolean[] | null {
  const findings = readExamination({ message, isTranscript, nonce, checks });
  return findings === null ? null : lookedAfter(findings, looked).map((finding) => finding.pass);
}

describe("a sub-agent's answer", () => {
  it.each<[string, string, boolean[] | null]>([
    ["with evidence for every check passes", `I looked.\n${answer(good)}`, [true, true]],
    ["with words behind it passes", `${answer(good)}\nDone {really}.`, [true, true]],
    ["in a fence passes", `\`\`\`json\n${answer(good)}\n\`\`\``, [true, true]],
    ["that leaves a check out", answer(good.slice(0, 1)), [true, false]],
    [
      "with a failing check",
      answer([
        [1, false, "src/a.ts:45 raw Error()"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "without evidence",
      answer([
        [1, true, "trust me"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "with a name that looks like a file",
      answer([
        [1, true, "trust me.bro"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a file that is not there",
      answer([
        [1, true, "src/gone.ts:1"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a line that is not there",
      answer([
        [1, true, "src/a.ts:12, src/a.ts:51"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about line 0",
      answer([
        [1, true, "src/a.ts:0"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    [
      "about a command that was not run",
      answer([
        [1, true, "src/a.ts:1 and `npm test` passes"],
        [2, true, "src/b.ts:1"],
      ]),
      [false, true],
    ],
    ["that says yes and no to one check", answer([...good, [1, false, "src/a.ts:45 raw Error()"]]), [false, true]],
    ["that is followed by a no", `${answer(good)} No: ${answer([[2, false, "src/b.ts:1"]])}`, [true, false]],
    ["that was a no before", `${answer([[2, false, "src/b.ts:1"]])} Yes: ${answer(good)}`, [true, false]],
    ["beside a no of another examination", `${answer(good)} ${answer([[1, false, "x"]], "other")}`, [false, true]],
    ["to another examination, as a file of the work may hold it", answer(good, "other"), null],
    ["to no examination", JSON.stringify({ checks: [{ check: 1, pass: true, evidence: "src/a.ts:1" }] }), null],
    ["after a no with another first key", `${other({ verdict: "fail" }, false)} ${answer(good)}`, [false, true]],
    ["before a no with another first key", `${answer(good)} ${other({ notes: [{ a: 1 }] }, false)}`, [false, true]],
    ["that begins with another key", `${other({ notes: { a: "{" } }, true)} ${answer(good)}`, [true, true]],
    ["after a no with a long account", `${answer([[1, false, "x".repeat(2_100)]])} ${answer(good)}`, [false, true]],
    ["after a no in a word", `${other({}, "no")} ${answer(good)}`, [false, true]],
    ["beside a no to all of it", JSON.stringify({ overall: "fail", ...JSON.parse(answer(good)) }), [false, false]],
    [
      "beside a no in a last verdict",
      JSON.stringify({ finalVerdict: "fail", ...JSON.parse(answer(good)) }),
      [false, false],
    ],
    [
      "beside a no to all, further in",
      JSON.stringify({ overall: { pass: false }, ...JSON.parse(answer(good)) }),
      [false, false],
    ],
    [
      "beside a conclusion without a no",
      JSON.stringify({ ...JSON.parse(answer(good)), conclusion: "No problems found; every check passes" }),
      [true, true],
    ],
    [
      "beside words that no is in",
      JSON.stringify({ ...JSON.parse(answer(good)), verdict: "Not a single regression", status: "no issues" }),
      [true, true],
    ],
    [
      "beside what is not ok",
      JSON.stringify({ overall: "not ok: b is wrong", ...JSON.parse(answer(good)) }),
      [false, false],
    ],
    ["beside what is incorrect", JSON.stringify({ verdict: "incorrect", ...JSON.parse(answer(good)) }), [false, false]],
    [
      "beside a no with its reason",
      JSON.stringify({ result: "No - AC-2 is not met", ...JSON.parse(answer(good)) }),
      [false, false],
    ],
    ["beside what is ok", JSON.stringify({ overall: "ok: no failures", ...JSON.parse(answer(good)) }), [true, true]],
    ["beside a yes to all of it", JSON.stringify({ overall: "pass", ...JSON.parse(answer(good)) }), [true, true]],
    ["after one to it without checks", `{"examination": "${nonce}", "checks": "bad"} ${answer(good)}`, null],
    ["after one about no check", `${other({}, false).replace('"check":1', '"check":"one"')} ${answer(good)}`, null],
    ["behind code", `function a() { if (b) { c("{"); } }\n${answer(good)}`, [true, true]],
    ["before more brackets than are read", `${answer(good)} ${'{"checks":'.repeat(5_000)}`, null],
    ["of nothing", "nothing", null],
    ["of half an object", "{", null],
    ["in other words", '{"checks": "all good"}', null],
    ["of brackets", "{".repeat(5000), null],
  ])("%s [S2-DN-04, F-204]", (_what, message, expected) => {
    expect(passes(message)).toEqual(expected);
  });

  it("of a program without messages counts only where it ends what was printed [F-204]", () => {
    const quoted = `cat notes.json\n${answer(good)}\n`;
    expect(passes(`${quoted}I could not find out.\n`, true)).toBeNull();
    expect(passes(`${quoted}${answer([[1, false, "src/a.ts:45"]])}\n`, true)).toEqual([false, false]);
    expect(passes(quoted, true)).toEqual([true, true]);
  });

  it("names the files that have to be looked at, of what passes", () => {
    const findings = readExamination({ message: answer([...good]), isTranscript: false, nonce, checks });
    expect(filesShown(findings ?? [])).toEqual(["src/a.ts", "src/b.ts"]);
  });
});

describe("a reference", () => {
  it.each<[string, ReturnType<typeof readReference>]>([
    ["src/a.ts:10", { type: "place", path: "src/a.ts", line: 10 }],
    ["file:src/a.ts:10", { type: "place", path: "src/a.ts", line: 10 }],
    ["file:///w/src/a.ts:10", { type: "place", path: "/w/src/a.ts", line: 10 }],
    ["src/a.ts:10-20", { type: "place", path: "src/a.ts", line: 20 }],
    ["src/a.ts:10:5", { type: "place", path: "src/a.ts", line: 10 }],
    ["`src/a.ts#L10-L12`", { type: "place", path: "src/a.ts", line: 12 }],
    ["src/a.ts line 10", { type: "place", path: "src/a.ts", line: 10 }],
    ["src/a.ts, lines 10-12", { type: "place", path: "src/a.ts", line: 12 }],
    ["src/a.ts (Line 10)", { type: "place", path: "src/a.ts", line: 10 }],
    ["`src/a.ts` L10", { type: "place", path: "src/a.ts", line: 10 }],
    ["version 2.0, line 10", { type: "vague" }],
    ["Makefile:3", { type: "place", path: "Makefile", line: 3 }],
    ["my notes.md:3", { type: "place", path: "my notes.md", line: 3 }],
    ["pnpm exec vitest run", { type: "command", command: "pnpm exec vitest run" }],
    ["$ npm test", { type: "command", command: "npm test" }],
    ["`anything at all`", { type: "command", command: "anything at all" }],
    ["./check.sh --all", { type: "command", command: "./check.sh --all" }],
    ["report.json", { type: "artefact", path: "report.json" }],
    ["logs/run", { type: "artefact", path: "logs/run" }],
    ["trust me", { type: "vague" }],
    ["trust me.bro", { type: "vague" }],
    ["", { type: "vague" }],
    ["it works: 100", { type: "vague" }],
    ["http://localhost:3000", { type: "vague" }],
    ["12:30", { type: "vague" }],
  ])("%j [S3-PR-09, F-211]", (text, reference) => {
    expect(readReference(text)).toEqual(reference);
  });

  it.each([
    "`npx vitest run tests/a.test.ts`, line 210 of its output: 12 passed",
    "`npx vitest run tests/a.test.ts` (line 210)",
    "npx vitest run tests/a.test.ts, line 210 of its output: 12 passed",
    "npx vitest run tests/a.test.ts (line 210)",
    "npx vitest run tests/a.test.ts, line 210: 12 passed",
    "`npx vitest run tests/a.test.ts, line 210`",
    "I ran `npx vitest run tests/a.test.ts` and its output says so; `npx vitest run tests/a.test.ts`, lines 200-210",
    "All pass with `zest tests/a.test.ts`, line 210.",
    "`tests/run.sh`, line 210",
    "`tests/run.sh`, line 210 of its output",
  ])("to a line of what a command printed is one to the command: %j [F-204, F-211]", (text) => {
    const looked = {
      lines: { "tests/a.test.ts": 30, "tests/run.sh": 30 },
      ran: ["npx vitest run tests/a.test.ts", "zest tests/a.test.ts", "tests/run.sh"],
    };

    expect(whyUnproven(referencesOf(text, looked.ran), looked)).toBeNull();
  });

  it("to a line of a file is one to the file where a command ran on it, too [F-204, F-211]", () => {
    const looked = { lines: { "tests/a.test.ts": 30, "logs/a.txt": 9 }, ran: ["npx vitest run tests/a.test.ts"] };
    const why = (text: string) => whyUnproven(referencesOf(text, looked.ran), looked);

    expect(why("tests/a.test.ts, line 30")).toBeNull();
    expect(why("go to tests/a.test.ts, line 30")).toBeNull();
    expect(why("the first test in `tests/a.test.ts`, line 30")).toBeNull();
    expect(why("logs/a.txt, line 9 of the log")).toBeNull();
    expect(why("tests/a.test.ts, line 31")).toBe("tests/a.test.ts has 30 lines, not 31");
    expect(why("I ran npx vitest run tests/a.test.ts, line 210 says so, and tests/a.test.ts, line 31 too.")).toBe(
      "tests/a.test.ts has 30 lines, not 31",
    );
  });

  it("in a sentence is a place by its line in words, too [F-211]", () => {
    expect(
      referencesIn("`AppError` is thrown in src/a.ts at line 12, and `src/b.ts` (lines 3–5) catches it on line 4."),
    ).toEqual([
      { type: "place", path: "src/a.ts", line: 12 },
      { type: "place", path: "src/b.ts", line: 5 },
    ]);
  });

  it("in a sentence is a place or a command of two words; names and code are neither", () => {
    expect(
      referencesIn(
        "In (src/a.ts:12) `AppError` is thrown, see file:src/b.ts:1. `npm test` exits 0; `return a + b` is code; `node` too.",
      ),
    ).toEqual([
      { type: "place", path: "src/a.ts", line: 12 },
      { type: "place", path: "src/b.ts", line: 1 },
      { type: "command", command: "npm test" },
    ]);
  });

  it.each<[string, string[]]>([
    ["app/[id]/page.tsx:12 reads the id", ["app/[id]/page.tsx"]],
    ["`app/(shop)/page.tsx:12` renders it", ["app/(shop)/page.tsx"]],
    ["it is read (app/(shop)/[...slug]/page.tsx:12), and shown", ["app/(shop)/[...slug]/page.tsx"]],
    ["see [the page](src/a.ts#L12) [src/b.ts:1](src/b.ts#L1)", ["src/a.ts", "src/b.ts", "src/b.ts"]],
    ["in throws(src/a.ts:12) {src/b.ts:1}; **src/c.ts:3**", ["src/a.ts", "src/b.ts", "src/c.ts"]],
    ["src/a.ts:12,src/b.ts:1: both", ["src/a.ts", "src/b.ts"]],
    ["`My App/View.swift:12` draws it", ["My App/View.swift"]],
    ["at https://a.example/src/a.ts#L12 and file:///w/src/b.ts:3", ["/w/src/b.ts"]],
    ["at 12:30 it was v1.2:3-alpha of node:20-alpine", []],
  ])("%j names the places %j [F-204]", (text, paths) => {
    expect(referencesIn(text).map((each) => ("path" in each ? each.path : each.type))).toEqual(paths);
  });

  it.each([
    "src/a.ts:10 returns status:200",
    "src/a.ts:10 answers res.code:404 to redis:6379 and example.com:443",
    "src/a.ts:10 (tests:12, total:3), Dockerfile:2 uses node:20 and ghcr.io/acme/app:3",
    "`see src/a.ts:10` for pass/fail:3",
    "`my notes.md:2` says so",
  ])("%j is no lie: a word with a number is a place only where there is such a file [F-204]", (text) => {
    const lines = { "src/a.ts": 50, Dockerfile: 4, "my notes.md": 3 };
    expect(whyUnproven(referencesIn(text), { lines, ran: null })).toBeNull();
  });

  it.each([
    ["returns status:200", {}, "no place and no command is shown"],
    ["src/a.ts:10 and Makefile:9", { Makefile: 3 }, "Makefile has 3 lines, not 9"],
    ["src/a.ts:10 and app/[id]/gone.tsx:3", {}, "there is no file app/[id]/gone.tsx"],
    ["The constructor:12 is right, see src/a.ts:3", {}, null],
    ["__proto__:1 and toString:2", {}, "no place and no command is shown"],
    ["`my gone.md:2`, src/a.ts:10", {}, "there is no file my gone.md"],
  ])("%j beside what it names is told as %j: %s [F-204]", (text, more, why) => {
    expect(whyUnproven(referencesIn(text), { lines: { "src/a.ts": 50, ...more }, ran: null })).toBe(why);
  });

  it.each([
    "flutter test",
    "swift test",
    "sbt test",
    "bazel test //...",
    "just test",
    "zig build test",
    "prove -l",
    "nx test",
    "terraform plan",
    "psql -c 'select 1'",
    "CI=1 npm test",
    "cd app && npm test",
    "npm test",
    "pytest",
  ])("to %j is one to a command where it was seen to run, whatever its program [F-211]", (command) => {
    const looked: SeenReferences = { lines: {}, ran: ["ls", command] };
    const told = [command, `\`${command}\``, `command: ${command}`, `${command} exited 0`, `${command} -> 3 passed`];
    for (const ref of [...told, `${command} (exit 0)`, `Ran \`${command}\`: exit code 0`])
      expect([ref, whyUnproven(referencesOf(ref, looked.ran), looked)]).toEqual([ref, null]);
    const sentence = `ran \`${command}\`: all passed`;
    expect(whyUnproven(referencesIn(sentence, looked.ran), looked)).toBeNull();
    expect(whyUnproven(referencesIn(sentence, ["ls"]), { ...looked, ran: ["ls"] })).not.toBeNull();
  });

  it.each([
    ["flutter test", ["bash -lc 'cd app && flutter test --coverage'"], null],
    ["cd app && flutter test", ["Run flutter test"], null],
    ["flutter test lib/a_test.dart", ["flutter test"], "no place and no command is shown"],
    ["command: flutter test", ["dart test"], "`flutter test` was not run"],
    ["npm test (exit 0)", ["npm run build"], "`npm test (exit 0)` was not run"],
    ["all tests pass", ["echo all tests pass"], "no place and no command is shown"],
    ["tests", ["npm run tests"], "no place and no command is shown"],
    ["flutter", ["flutter test"], "no place and no command is shown"],
  ])("to %j where %j ran: %s [F-211]", (ref, ran, why) => {
    expect(whyUnproven(referencesOf(ref, ran), { lines: {}, ran })).toBe(why);
  });

  it.each([
    ["npm test", 'grep -n "npm test" package.json'],
    ["npm test", "echo npm test"],
    ["npm test", 'echo "first; npm test"'],
    ["npm test", "grep -E 'build|npm test' package.json"],
    ["npm test", 'grep -E "build|npm test" package.json'],
    ["npm test", "sed -n '/a/p;/npm test/p' notes.md | head"],
    ["npm test", "cat > notes.md <<'EOF'\nnpm test\nEOF"],
    ["npm test", "docker run app echo npm test"],
    ["npm test", "npm tested"],
    ["node --test", "which node --test"],
    ["git push", 'git log --grep "git push"'],
    ["make check", "man make check"],
    ["make check", "command -v make check"],
    ["npm test", "ls # then npm test"],
    ["npm test", "echo \"what's next: npm test; it's that\""],
    ["npm test", "cat > notes.md <<'EOF'\nit's\nnpm test\nEOF\nls"],
    ["vitest run", "pnpm add vitest run"],
    ["npm test", "git commit -m 'first; npm test'"],
    ["npm test", "python3 - <<EOF\nnpm test\nEOF"],
    ["npm test && npm run lint", "npm test && npm run build"],
  ])("to %j is none where only %j ran [F-204, F-211]", (command, line) => {
    for (const ref of [`\`${command}\` passes, 12 of 12`, command])
      expect(whyUnproven(referencesOf(ref, [line]), { lines: {}, ran: [line] })).toBe(`\`${command}\` was not run`);
  });

  it.each([
    ["npm test", "cd app; npm test 2>&1 | tail -5"],
    ["npm test | tail -5", "ls && npm test | tail -5"],
    ["npm test && npm run lint", "git status; npm test && npm run lint"],
    ["npm test", "(cd app && npm test)"],
    ["npm test", "for i in 1 2; do npm test; done"],
    ["npm test", "timeout 60 npm test"],
    ["npm test", 'echo "it is $(npm test)"'],
    ["npm test", "docker compose exec -T app npm test"],
    ["npm test", 'bash -lc "cd app && npm test -- --run"'],
    ["npm test", "cat notes.md <<EOF\nx\nEOF\nnpm test"],
    ["vitest run", "CI=1 npx vitest run tests/a.test.ts"],
    ["grep -rn 'catch (' src", `grep -rn "catch (" src | wc -l`],
    ["pytest", "pytest -q tests"],
    ["npm test", "# Let's run the tests\nnpm test"],
    ["npm test", 'echo "what\'s there" && npm test'],
    ["npm test", 'git commit -m "don\'t" && npm test'],
    ["node probe.mjs", "cat > probe.mjs <<'EOF'\nconsole.log(1);\nEOF\nnode probe.mjs"],
    ["node probe.mjs", "cat > probe.mjs <<'EOF'\n// it's a probe\nEOF\nnode probe.mjs"],
    ["npm test", "ls 'a#b'; echo a#b; npm test"],
    ["pytest tests", "python3 -m pytest tests -q"],
    ["pytest tests", ".venv/bin/pytest tests -q"],
    [".venv/bin/pytest tests", "cd /w/app && .venv/bin/pytest tests"],
    ["vitest run", "pnpm vitest run"],
    ["vitest run", "./node_modules/.bin/vitest run"],
    ["vitest run", "npx --no-install vitest run"],
    ["npm test", "timeout -k 5 60 npm test"],
    ["npm test", "bash -e <<'EOF'\nnpm test\nEOF"],
    ["npm test > log", "npm test 2>&1 | tee log"],
    ["npx vitest run", "nice npx vitest run"],
    ["npx eslint", "git diff --name-only | xargs npx eslint"],
    ["npx eslint", "git ls-files | xargs -n 1 uv run npx eslint"],
    ["npx vitest run", "bash -c 'CI=1 npx vitest run'"],
    ["bash -c 'npm test'", 'bash -c "npm test" | tail'],
    ["npm test", "sudo -u ci bash -c 'cd app && npm test'"],
  ])("to %j is one where %j ran [F-204, F-211]", (command, line) => {
    expect(whyUnproven(referencesOf(`\`${command}\``, [line]), { lines: {}, ran: [line] })).toBeNull();
  });

  it.each(["Makefile", "Dockerfile", "LICENSE", "report.json"])("to %j is one to a file [C-53]", (path) => {
    expect(readReference(path)).toEqual({ type: "artefact", path });
  });

  it("to a command proves nothing where nobody tells what was run, and takes nothing from a place", () => {
    const silent: SeenReferences = { lines: { "a.ts": 3 }, ran: null };
    const command = readReference("npm test");
    expect(whyUnproven([command], silent)).toBe("nobody saw that `npm test` was run");
    expect(whyUnproven([command, readReference("a.ts:3")], silent)).toBeNull();
    expect(whyUnproven([command], { ...silent, ran: ["cd pkg && npm  test"] })).toBeNull();
    expect(whyUnproven([command, readReference("a.ts:3")], { ...silent, ran: ["ls"] })).toBe("`npm test` was not run");
    expect(whyUnproven([], silent)).toBe("no place and no command is shown");
  });
});
