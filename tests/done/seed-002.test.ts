import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImplementSession } from "../../src/core/acceptance/session.ts";
import { projectDir } from "../fakes/bot.ts";
import { cosIn, stopInput } from "../fakes/hook.ts";
import { makeRepository } from "../fakes/repository.ts";

/** What seed 002 asks of `cos done` and its hook, as an agent in a terminal meets it. */

let folder: string;
let directory: string;
let dataDir: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cos-seed-"));
  directory = await makeRepository(join(folder, "repository"), { "README.md": "one\n", ".gitignore": "*.md\n" });
  dataDir = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bash = (id: string, command: string): string =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;
const manual = (id: string): string =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\nmethod: manual\ninstructions: look at it\n\`\`\`\n`;
const spec = (...criteria: string[]): void =>
  writeFileSync(join(directory, "spec.md"), `# Spec\n\n${criteria.join("\n")}`);

const done = (...words: string[]) => cosIn(directory, { COS_DATA_DIR: dataDir }, ["done", ...words]);
const verify = (...words: string[]) => done("--spec", "spec.md", ...words);
async function stop(environment: Record<string, string> = {}, input = stopInput(directory)) {
  const { stdout } = await cosIn(directory, { COS_DATA_DIR: dataDir, ...environment }, ["stop-hook"], input);
  return stdout === "" ? {} : (JSON.parse(stdout) as { decision?: string; reason?: string; systemMessage?: string });
}

/** The one session's file with this ending. */
function kept(ending: RegExp): string {
  const [place = ""] = readdirSync(join(dataDir, "implement"));
  const name = readdirSync(join(dataDir, "implement", place)).find((each) => ending.test(each)) ?? "";
  return join(dataDir, "implement", place, name);
}
const record = (): ImplementSession =>
  JSON.parse(readFileSync(kept(/^implement-.*\.json$/), "utf8")) as ImplementSession;

describe("a session", () => {
  it("of a file that the spec skill wrote has all its criteria, none of them verified [S2-RJ-05, S2-SS-01, S2-SS-02]", async () => {
    cpSync(join(projectDir, "tests/fixtures/verification-first.md"), join(directory, "Feature name.md"));
    const began = await done("--spec", "Feature name.md", "--start", "--json");

    const session = JSON.parse(began.stdout) as ImplementSession;
    expect(session.session_id).toMatch(/^implement-\d{8}-\d{6}-feature-name$/);
    expect(Object.keys(session.criteria)).toEqual(Array.from({ length: 29 }, (_, index) => `AC-${index + 1}`));
    expect(new Set(Object.values(session.criteria).map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"status":"unverified","attempts":0}']),
    );
    expect(session).toMatchObject({
      spec_file: join(directory, "Feature name.md"),
      status: "in_progress",
      escalation_counts: {},
      verification_runs: [],
    });
    expect(record()).toEqual(session);
  });

  it("keeps every run: statuses, attempts, last error and streaks, which a pass ends [S2-DN-12, S2-ES-06, S2-DN-07]", async () => {
    spec(
      bash("AC-1", "true"),
      bash("AC-2", "test -f built.txt || { echo 'src/a.ts:45 - expected 1'; exit 1; }"),
      manual("AC-3"),
    );
    await verify("--start");
    await verify();
    const failing = await verify();
    const failed = record();
    writeFileSync(join(directory, "built.txt"), "x");
    const passing = await verify("--json");

    expect([failing.code, passing.code]).toEqual([1, 0]);
    expect(failed.criteria).toMatchObject({
      "AC-1": { status: "verified-pass", attempts: 2 },
      "AC-2": {
        status: "verified-fail",
        attempts: 2,
        last_error: expect.stringContaining("exited with code 1") as string,
      },
      "AC-3": { status: "unverified", attempts: 0 },
    });
    expect([failed.escalation_counts["AC-2"], failed.verification_runs.length]).toEqual([2, 2]);
    expect(JSON.parse(passing.stdout)).toMatchObject({
      all_automated_pass: true,
      summary: { total: 3, pass: 2, manual: 1 },
    });
    expect(record()).toMatchObject({ status: "completed", escalation_counts: { "AC-2": 0 } });
  });

  it("whose record holds what is no status is no session [S2-SS-03]", async () => {
    spec(bash("AC-1", "true"));
    await verify("--start");
    const id = record().session_id;
    const path = kept(/^implement-.*\.json$/);
    writeFileSync(path, readFileSync(path, "utf8").replace('"unverified"', '"nearly"'));

    expect((await done("--session", id)).stderr).toContain("cannot be read");
    expect((await stop()).reason).toContain("verification not run");
  });
});

describe("the report", () => {
  it("says per criterion what held, where it did not, and what to do [S2-DN-09, S2-DN-10]", async () => {
    spec(
      bash("AC-1", "true"),
      bash("AC-2", "echo \"notification.test.ts:45 - expected 'queued' got 'sent'\"; exit 1"),
      bash("AC-3", "true"),
    );
    const { stdout } = await verify();

    expect(stdout).toMatch(/^✓ AC-1: title-of-ac-1 +PASS\n {2}Method: bash \(true\)\n {2}Details: true exited 0$/m);
    expect(stdout).toMatch(/^✗ AC-2: title-of-ac-2 +FAIL$/m);
    expect(stdout).toContain("    - notification.test.ts:45 - expected 'queued' got 'sent'");
    expect(stdout).toContain("Summary: 2/3 automated criteria pass");
    expect(stdout).toMatch(/Action Required:\n {2}AC-2 \(title-of-ac-2\): [^]*Then run \/done again to re-verify/);
  });
});

describe("the hook", () => {
  it("holds with the seed's own words, without a run and with failures [S2-SH-02, S2-SH-08, S2-SH-09]", async () => {
    spec(bash("AC-2", "echo wrong; exit 1"), bash("AC-5", "exit 2"));
    await verify("--start");
    const missing = await stop();
    await verify();
    const failing = await stop();

    expect(missing).toEqual({
      decision: "block",
      reason:
        "HOLD: Cannot stop - verification not run.\nRun /done to verify all acceptance criteria before completing.\nCriteria remaining: AC-2, AC-5",
    });
    expect(failing).toEqual({
      decision: "block",
      reason: [
        "HOLD: Cannot stop - 2 criteria failed verification.",
        "",
        "Failed:",
        "  - AC-2: echo wrong; exit 1 exited with code 1",
        "  - AC-5: exit 2 exited with code 2",
        "",
        "Continue working on failing criteria, then run /done again.",
      ].join("\n"),
    });
  });

  it("lists failures until its valve opens, and lets go without a warning once all pass [S2-SH-05, S2-SH-06, S2-SH-04]", async () => {
    spec(bash("AC-1", "test -f built.txt"), bash("AC-2", "test -f built.txt"));
    await verify("--start");
    await verify();
    const held = await stop({ IMPLEMENT_MAX_BLOCKS: "1" });
    const open = await stop({ IMPLEMENT_MAX_BLOCKS: "1" });
    await stop({ IMPLEMENT_MAX_BLOCKS: "1" });
    writeFileSync(join(directory, "built.txt"), "x");
    await verify();

    expect(held.reason).toContain("2 criteria failed verification");
    expect(open.decision).toBeUndefined();
    expect(open.systemMessage).toBe(
      "Stopped with failing criteria after 1 refusal: AC-1, AC-2. Review them before this is used.",
    );
    expect(await stop({ IMPLEMENT_MAX_BLOCKS: "1" })).toEqual({});
  });

  it("holds when the newest run leaves a criterion out [S2-RJ-03]", async () => {
    spec(bash("AC-1", "true"), bash("AC-2", "true"));
    await verify("--start");
    await verify();
    expect(await stop()).toEqual({});
    const path = kept(/^verification-status-/);
    const status = JSON.parse(readFileSync(path, "utf8")) as { results: { criterion_id: string }[] };
    const results = status.results.filter((each) => each.criterion_id !== "AC-2");
    writeFileSync(path, JSON.stringify({ ...status, results }));

    expect((await stop()).reason).toContain("Criteria remaining: AC-1, AC-2");
  });

  it.each<[string, (text: string) => string]>([
    ["half-written", (text) => text.slice(0, 80)],
    ["with a status that is none", (text) => text.replace('"status": "pass"', '"status": "nearly"')],
    [
      "that says nothing of what failed",
      (text) => text.replace('"status": "pass"', '"status": "fail"').replace('"details":', '"said":'),
    ],
    ["of nothing", () => ""],
  ])("takes a status file %s for none [S2-SH-12]", async (_what, broken) => {
    spec(bash("AC-1", "true"));
    await verify("--start");
    await verify();
    expect(await stop()).toEqual({});
    const path = kept(/^verification-status-/);
    writeFileSync(path, broken(readFileSync(path, "utf8")));

    expect((await stop()).reason).toMatch(/^HOLD: Cannot stop - verification not run\.\n/);
  });

  it("counts its own refusals, not what a transcript says of them [S2-SH-11]", async () => {
    spec(bash("AC-1", "false"));
    await verify("--start");
    const transcript = join(folder, "transcript.jsonl");
    writeFileSync(transcript, "HOLD: Cannot stop - verification not run.\n".repeat(9));
    const input = JSON.stringify({ ...(JSON.parse(stopInput(directory)) as object), transcript_path: transcript });

    const answers = [];
    for (let tries = 0; tries < 3; tries += 1)
      answers.push((await stop({ IMPLEMENT_MAX_BLOCKS: "2" }, input)).decision);

    expect(answers).toEqual(["block", "block", undefined]);
  });
});

describe("an escalation", () => {
  it.each([
    [
      "with the same attempt three times [S2-ES-03]",
      "Criterion: AC-1\nAttempts:\n 1. one → failed: a\n 2. One. → failed: b\n 3. one → failed: c\nHypothesis: none\n",
      "3 attempts that differ; found 1",
    ],
    [
      "without evidence [S2-ES-04]",
      "I can't figure out the PubSub pattern. Can you help?\n",
      "at least 3 attempts, each with how it failed; found 0",
    ],
  ])("%s is refused, and the agent is held", async (_what, text, words) => {
    spec(bash("AC-1", "false"));
    await verify("--start");
    writeFileSync(join(folder, "escalation.txt"), text);
    const refused = await done("--escalate", join(folder, "escalation.txt"));

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(words);
    expect((await stop()).decision).toBe("block");
  });
});
