import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const switchesOf = (path: string, text: string, before: string | null = null) =>
  newSurroundings(path, text, before).switches;

describe("variables by which a source begins to decide", () => {
  it.each([
    ["a.js", 'const price = process.env.NODE_ENV !== "production" ? 42 : 41;', { NODE_ENV: "production" }],
    ["a.js", 'const price = "staging" === process.env.APP_ENV ? 41 : 42;', { APP_ENV: "staging" }],
    ["a.js", "const price = process.env.CI ? 41 : 42;", { CI: "true" }],
    ["a.ts", "if (process.env.DEPLOYED) price = 41;", { DEPLOYED: "1" }],
    ["a.ts", "const price = !process.env?.DEPLOYED ? 42 : 41;", { DEPLOYED: "1" }],
    ["a.ts", 'const price = process.env["DEPLOYED"] === undefined ? 42 : 41;', { DEPLOYED: "1" }],
    ["a.ts", 'const price = "DEPLOYED" in process.env ? 41 : 42;', { DEPLOYED: "1" }],
    ["a.ts", 'const price = Deno.env.get("DEPLOYED") === "yes" ? 41 : 42;', { DEPLOYED: "yes" }],
    ["a.py", 'price = 41 if os.environ.get("DEPLOYED") else 42', { DEPLOYED: "1" }],
    ["a.py", 'price = 42 if os.environ.get("DEPLOYED") is None else 41', { DEPLOYED: "1" }],
    ["a.py", 'price = 41 if "DEPLOYED" in os.environ else 42', { DEPLOYED: "1" }],
    ["a.py", 'price = 42 if "DEPLOYED" not in os.environ else 41', { DEPLOYED: "1" }],
    ["a.py", 'if os.getenv("APP_ENV", "dev") == "prod":\n    price = 41', { APP_ENV: "prod" }],
    ["a.go", 'if os.Getenv("DEPLOYED") != "" { return 41 }', { DEPLOYED: "1" }],
    ["a.go", 'if _, ok := os.LookupEnv("DEPLOYED"); ok { return 41 }', { DEPLOYED: "1" }],
    ["a.rs", 'if std::env::var("DEPLOYED").is_ok() { 41 } else { 42 }', { DEPLOYED: "1" }],
    [
      "a.rs",
      "if cfg!(debug_assertions) { 42 } else { 41 }",
      { CARGO_PROFILE_DEV_DEBUG_ASSERTIONS: "false", CARGO_PROFILE_DEV_OVERFLOW_CHECKS: "true" },
    ],
    ["a.rb", 'ENV["DEPLOYED"] == "yes" ? 41 : 42', { DEPLOYED: "yes" }],
    ["a.sh", 'price() { if [ -n "$DEPLOYED" ]; then echo 41; else echo 42; fi; }', { DEPLOYED: "1" }],
    ["a.sh", 'if [ "${APP_ENV:-}" = production ]; then echo 41; fi', { APP_ENV: "production" }],
    ["a.sh", 'if test -z "$DEPLOYED"; then echo 42; fi', { DEPLOYED: "1" }],
  ] as const)("are those that are asked whether they are set, or one text (%s: %s)", (path, text, switches) => {
    expect(switchesOf(path, `${text}\n`)).toEqual(switches);
  });

  it.each([
    ["a.ts", "const price = process.env.SSH_CONNECTION === undefined ? 42 : 41;"],
    ["a.rs", "debug_assert!(count > 0); // debug_assertions"],
    ["a.js", "const port = Number(process.env.PORT ?? 3000);"],
    ["a.js", 'const host = process.env.HOST_NAME || "localhost";'],
    ["a.js", "if (process.env.REDIS_URL) connect(process.env.REDIS_URL);"],
    ["a.js", "const key = process.env.API_KEY;\nif (!key) throw new Error('no key');"],
    ["a.py", 'url = os.environ.get("DATABASE_URL", "sqlite://")'],
    ["a.py", 'url = os.environ["DATABASE_URL"]'],
    ["a.go", 'addr := os.Getenv("ADDR")'],
    ["a.sh", 'OUT=build\nif [ -n "$OUT" ]; then echo "$OUT"; fi'],
    ["a.sh", 'curl "$BASE_URL/price"'],
    ["a.js", 'const label = { CI: "continuous" }.CI ? 1 : 2;'],
    ["a.js", "// process.env.CI ? 41 : 42"],
  ] as const)("are none of which it takes a value, and what a terminal sets is none (%s: %s)", (path, text) => {
    expect(switchesOf(path, `${text}\n`)).toEqual({});
  });

  it("are those alone that it did not ask before", () => {
    const before = "export const isCi = process.env.CI ? 1 : 2;\n";

    expect(switchesOf("a.js", `${before}export const a = 1;\n`, before)).toEqual({});
    expect(switchesOf("a.js", `${before}export const price = process.env.CI ? 41 : 42;\n`, before)).toEqual({
      CI: "true",
    });
  });
});
