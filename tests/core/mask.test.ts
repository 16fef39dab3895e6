import { describe, expect, it } from "vitest";
import { safeOutput } from "../../src/core/secrets/mask.ts";

describe("what a child wrote, safe to keep", () => {
  it.each([
    ["a Slack token", "xoxb-123456789012-abcdefghijkl"],
    ["a GitHub token", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"],
    ["an OpenAI key", "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz"],
    ["an Anthropic key", `sk-ant-api03-${"a1B2".repeat(12)}`],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
    ["an npm token", "npm_0123456789abcdefghijklmnopqrstuvwxyz"],
    ["a secret of ours", "our-very-own-secret"],
  ])("masks %s", (_, secret) => {
    const safe = safeOutput(`before ${secret} after`, ["our-very-own-secret"]);

    expect(safe).not.toContain(secret);
    expect(safe).toMatch(/^before .+ after$/);
  });

  it("masks the password of an address and what follows password=", () => {
    expect(safeOutput("postgres://ana:hunter22@db/x", [])).not.toContain("hunter22");
    expect(safeOutput("password=hunter22", [])).not.toContain("hunter22");
  });

  it.each([
    ["> Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="],
    ["curl -H 'Authorization: token abcdefghijkl'", "abcdefghijkl"],
    ["sent Basic dXNlcjpwYXNz1w== there", "dXNlcjpwYXNz1w"],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"],
    ["[db]\nDB_PASSWORD = hunter22\n", "hunter22"],
    ["env:\n    POSTGRES_PASSWORD: hunter22 # for tests\n", "hunter22"],
    ["  - API_TOKEN: hunter22\r\n", "hunter22"],
    ["> x-api-key: hunter22", "hunter22"],
    ["curl -H 'x-api-key: hunter22' x", "hunter22"],
    ["charged with sk_live_4eC39HqLyjWDarjtT1zdp7dc now", "sk_live_4eC39"],
    ["hf_abcdefghijklmnopqrstuvwxyzABCDEF", "hf_abcdef"],
    ["mysql --user ana --password hunter22 shop", "hunter22"],
    ["tool --db-password 'correct horse' shop", "horse"],
    ['password="correct horse battery staple"', "staple"],
    ['{"text":"passphrase: \\"correct horse staple\\" was read"}', "staple"],
    ["password: 'it\\'s a horse'", "horse"],
    ["postgres://u:p@ssw0rd@h/db", "ssw0rd"],
    ["postgres://u:p@ss@w0rd@h:5432/db?x=1", "w0rd"],
    ["redis://default:a/b+c=@h:6379", "a/b+c="],
    ["postgres://u:pa/ss@h/db", "pa/ss"],
    ["DB_PASS=hunter22", "hunter22"],
    ["export SMTP_PASS=hunter22", "hunter22"],
    ["mysql-pass: hunter22", "hunter22"],
    ["MYSQL_PASS='hunter 22'", "hunter 22"],
    ['password: "x y"', "x y"],
    ["export SMTP_PASS='hunter22'", "hunter22"],
    ["env:\n    MYSQL_PASS: hunter22\n", "hunter22"],
    ["auth: { user: 'ana', pass: 'hunter22' }", "hunter22"],
    ["tool --db-pass hunter22 shop", "hunter22"],
    ["tool --pass hunter22 shop", "hunter22"],
    ["redis://default:a/b+c=@h:6379", "a/b+c"],
    ["postgres://u:p@a/ss@h/db", "a/ss"],
    ["https://u:pa/ss@h/db", "pa/ss"],
  ])("masks what is written like a secret: %s", (text, secret) => {
    expect(safeOutput(text, [])).not.toContain(secret);
  });

  it.each([
    "Basic authentication is off",
    "  token: string;",
    "  password: string",
    "api_key = settings.API_KEY",
    "token = nextToken(source)",
    "the token: it was not read, since the password is not known",
    "Unexpected token: } at 3",
    "the option --token is new",
    "Tokens: 12",
    "npm install http://localhost:4873/@scope/pad",
    "see https://example.com:8443/a@b/c",
    "git+ssh://git@github.com/ana/shop.git#v1",
    "https://example.com/@ana/post and ana@example.com",
    "12 tests pass: 3 files",
    "bypass = allowed",
    "# pass 1234",
    "pass: 1234 tests",
    "ENABLE_PASS=true",
    "PASS src/price.test.ts",
    "bypass=12345",
    "http://localhost:5173/@vite/client",
    "https://registry.npmjs.org:443/@scope/price",
    "http://localhost:$PORT/@vite/client",
    "http://[::1]:3000/@vite/client",
    "postgres://localhost:5432/db?user=a@b",
    '["redis://h:6379/0","ana@example.com"]',
  ])("leaves what only speaks of one: %s", (text) => {
    expect(safeOutput(text, [])).toBe(text);
  });

  it("masks a private key whole", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabcdef\n-----END RSA PRIVATE KEY-----";

    expect(safeOutput(`a\n${key}\nb`, [])).not.toContain("MIIEpAIBAAKCAQEA");
  });

  it("leaves ordinary text as it is and makes control characters harmless", () => {
    expect(safeOutput("plain text, 12 of 14 ok\n\ttabbed", [])).toBe("plain text, 12 of 14 ok\n\ttabbed");
    const safe = safeOutput("a\u0000b\u001b[31mc", []);
    expect([safe.includes("\u0000"), safe.includes("\u001b")]).toEqual([false, false]);
  });
});
