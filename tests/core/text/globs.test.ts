import fc from "fast-check";
import picomatch from "picomatch";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { proofPatternsProblem } from "../../../src/core/acceptance/contract.ts";
import { settingsOutsideOfSource } from "../../../src/core/files/patterns.ts";
import { testClasses, testFolders, testsOutsideOfSource } from "../../../src/core/files/test-patterns.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { globMatcher, globOfPath, globsProblem, readGlob } from "../../../src/core/text/globs.ts";

describe("a glob", () => {
  it("means what picomatch means by it, wherever that is linear too", () => {
    const name = fc.constantFrom("a", "b", "ab", "a.js", "b.ts", ".env", "x[id]", "c2");
    const path = fc.array(name, { minLength: 1, maxLength: 5 });
    /** Globs made from a path, so that many of them match it. */
    const asGlob = (each: string): fc.Arbitrary<string> =>
      fc.constantFrom(
        each,
        each,
        "*",
        "**",
        `${each[0] ?? ""}*`,
        "?",
        `{${each},z}`,
        `@(${each}|z)`,
        `(${each}|z)`,
        "*.{js,ts}",
        "[a-c]?",
      );
    const both = path.chain((names) => fc.tuple(fc.constant(names.join("/")), fc.tuple(...names.map(asGlob))));
    fc.assert(
      fc.property(both, path, ([own, globs], other) => {
        const glob = globs.join("/");
        for (const each of [own, other.join("/")])
          expect([glob, each, globMatcher([glob])(each)]).toEqual([glob, each, picomatch(glob, { dot: true })(each)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("that is taken can be compiled, and says no more than is allowed", () => {
    const pieces = "a Z é 0 * ** / ? { } , ( ) | @( *( +( ?( \\ . {1..99} {a..z} [a-c] [z-a] [!".split(" ");
    const piece = fc.constantFrom(...pieces);
    const some = fc.array(piece, { maxLength: 50 }).map((parts) => parts.join(""));
    const many = fc.tuple(piece, fc.nat(60)).map(([each, times]) => each.repeat(times));
    fc.assert(
      fc.property(fc.oneof(some, many), (glob) => {
        const read = readGlob(glob);
        if (read.type === "ok") expect(RE2JS.compile(read.source).programSize()).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string, boolean]>([
    ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["src/**", "src/a\nb.ts", true],
    ["v{1..3}.txt", "v2.txt", true],
    ["v{1..3}.txt", "v4.txt", false],
    ["\\*.ts", "*.ts", true],
    ["\\*.ts", "a.ts", false],
    ["[!a]b", "cb", true],
    ["a/**", "a", true],
    ["*/**", "a", false],
    ["src/", "src/deep/a.ts", true],
    ["./src/", "src/a.ts", true],
    ["src/", "srcs/a.ts", false],
    ["src/**/", "src/a.ts", true],
    ["app/(shop)/**", "app/(shop)/page.tsx", true],
    ["app/(shop)/**", "app/shop/page.tsx", true],
    ["app/@modal/(.)photo/*", "app/@modal/(.)photo/page.tsx", true],
    ["(a|b)/c", "(a)/c", false],
  ])("%s over %j: %s", (glob, path, matches) => {
    expect(globMatcher([glob])(path)).toBe(matches);
  });

  it.each<[string, string]>([
    ["!src/**", 'begins with "!"'],
    ["src/!(a).ts", "holds !(…)"],
    ["x".repeat(501), "at most 500 are taken"],
    ["{".repeat(20), "nested more than 10 levels"],
    ["{1..100000}", "has more than 100 numbers"],
    ["../x", "is no path in the repository"],
    ["packages/a/../b/**", "is no path in the repository"],
    ["{src,..}/a.ts", "is no path in the repository"],
    ["/etc/**", "is no path in the repository"],
    ["~/a.ts", "is no path in the repository"],
    ["C:\\a.ts", "is no path in the repository"],
  ])("%s is refused with the reason [F-108]", (glob, problem) => {
    const said = globsProblem([glob]);

    expect(said === null ? "taken" : said).toContain(problem);
  });

  it.each(["v{1..3}.txt", "./src/**", "a..b.ts", "app/[...slug]/page.tsx", "\\*.ts"])(
    "%s is a path in the repository",
    (glob) => {
      expect(globsProblem([glob])).toBeNull();
    },
  );

  it("of the policy can be read, and one of .cos/proof that cannot is named with its line [F-109]", () => {
    const { verification, triggers } = defaultPolicy;
    const all = [
      ...verification.proofFiles,
      ...verification.settingFiles,
      ...verification.generatedFiles,
      ...triggers.uxFiles,
      ...triggers.architectureFiles,
      ...settingsOutsideOfSource,
      ...testClasses,
      ...testFolders,
      ...testsOutsideOfSource,
    ];

    expect(globsProblem(all)).toBeNull();
    expect(proofPatternsProblem("# ours\ntests/**\n!tests/a.ts\n")).toContain(".cos/proof:3: ");
  });
});

it.each(["src/a.ts", "app/[id]/(shop)/page.tsx", "a*?{b,c}.ts", "!a.ts", "a\\b.ts", "a!(b).ts"])(
  "the glob of the path %s matches it alone",
  (path) => {
    const glob = globOfPath(path);

    expect(globsProblem([glob])).toBeNull();
    expect(readGlob(glob)).toMatchObject({ type: "ok" });
    const others = [
      "app/i/(shop)/page.tsx",
      "app/[id]/shop/page.tsx",
      "aXYb.ts",
      "axxb.ts",
      "ab.ts",
      "a.ts",
      "a/b",
      "ac.ts",
    ];
    expect([path, ...others].filter(globMatcher([glob]))).toEqual([path]);
  },
);
