import { describe, expect, it } from "vitest";
import { secretsIn } from "../../src/agent/critics/secrets.ts";
import { linesOfFiles } from "../../src/core/critics/lines.ts";

/** What the tools say of secrets in what was written. */

const found = async (path: string, text: string): Promise<string[]> =>
  await secretsIn(linesOfFiles([{ path, text }]).added, ["known-to-us-1234"]);
const awsKey = ["AKIA", "QWERTYUIOPASDFGH"].join("");

describe("a secret", () => {
  it.each([
    [
      "in a comment that asks for silence",
      "a.ts",
      `// secretlint-disable\n// eslint-disable\nexport const id = "${awsKey}";`,
      3,
    ],
    ["behind a long line of nothing", "a.ts", `const id = "${" ".repeat(20_000)}${awsKey}";`, 1],
    ["behind an example", "a.ts", `const password = "example-1"; const secret = "Xk29fj3-hunter";`, 1],
    ["without quotes, in a file of settings", ".env.local", "NODE_ENV=production\nDB_PASSWORD=Xk29fj3hunter2\n", 2],
    ["without quotes, in YAML", "config/prod.yaml", "  api_key: Xk29fj3hunter2\n", 1],
    ["in an image", "Dockerfile", "ENV API_TOKEN=Xk29fj3hunter2\n", 1],
    ["that we know ourselves", "a.txt", "x\nuse known-to-us-1234 here\n", 2],
  ])("%s is found, with its place, and is not said", async (_, path, text, line) => {
    const [issue = ""] = await found(path, text);

    expect(issue.startsWith(`${path}:${line}: a secret: `)).toBe(true);
    expect(issue).not.toMatch(/QWERTYUIOPASDFGH|hunter|known-to-us/);
  });

  it.each([
    [".env.example", "DB_PASSWORD=changeme-please\nAPI_KEY=your_key_here\n"],
    ["config/prod.yaml", "password: ${DB_PASSWORD}\ntoken_file: /run/secrets/token\n"],
    ["a.ts", 'const password = process.env["DB_PASSWORD"];'],
    ["a.ts", 'label("password: at least 8 characters");'],
  ])("is none of %s: %s", async (path, text) => {
    expect(await found(path, text)).toEqual([]);
  });
});
