import { describe, expect, it } from "vitest";
import { replayCard } from "../../../src/core/cards/replay-card.ts";
import { terminalLines } from "../../../src/core/cards/terminal.ts";
import type { EvidenceRecord } from "../../../src/core/task-loop/evidence.ts";
import { type ReplayedCheck, shellFirstSearches, unverifiableClaims } from "../../../src/core/task-loop/replay.ts";

const legacyTranscript = ["tool: [execute] grep -rn one .", "tool: [execute] cat one.txt", "tool: [read] one.txt"];
const layeredTranscript = ["tool: [search] one", "tool: [execute] grep -rn one .", "tool: [execute] npm test"];
const evidenceOf = (...refs: readonly string[]): EvidenceRecord => ({
  criteria: [{ criterion: "1", verdict: "PASS", evidence: refs.map((ref) => ({ ref, confidence: 1 })) }],
});

describe("a task that is checked again in both modes", () => {
  it("is compared by shell-first searches and unverifiable claims, two counts a mode, in a table [S3-EV-10]", () => {
    const checkOf = (
      mode: "legacy" | "layered",
      transcript: readonly string[],
      refs: readonly string[],
    ): ReplayedCheck => {
      const claims = unverifiableClaims(["It holds"], evidenceOf(...refs), { evidenceRefs: [] });
      return {
        taskId: "T1",
        mode,
        verdict: "passed",
        shellFirstSearches: shellFirstSearches(transcript.join("\n")),
        unverifiableClaims: claims.count,
        criteria: 1,
        withEvidence: claims.withEvidence,
        costMicroUsd: 200_000,
        costIsEstimated: mode === "legacy",
        durationMs: 2_000,
      };
    };
    const checks = [
      checkOf("legacy", legacyTranscript, ["one.txt:1", "trust me"]),
      checkOf("layered", layeredTranscript, ["one.txt:1"]),
    ];

    expect(checks).toMatchObject([
      { mode: "legacy", shellFirstSearches: 2, unverifiableClaims: 1, withEvidence: 1 },
      { mode: "layered", shellFirstSearches: 0, unverifiableClaims: 0, withEvidence: 1 },
    ]);
    const rows = terminalLines(replayCard("goal-1", checks), "UTC").map((line) => line.trim().split(/ {2,}/));
    expect(rows).toContainEqual(["T1", "legacy", "layered"]);
    expect(rows).toContainEqual(["shell-first searches", "2", "0"]);
    expect(rows).toContainEqual(["unverifiable claims", "1", "0"]);
  });

  it("claims more than it shows where a criterion has no evidence, and searches that nobody can tell are not counted", () => {
    expect(unverifiableClaims(["It holds", "It lasts"], evidenceOf("a.ts:1"), { evidenceRefs: ["as seen"] })).toEqual({
      count: 2,
      withEvidence: 1,
    });
    expect(unverifiableClaims(["It holds"], null, { evidenceRefs: [] })).toEqual({ count: 1, withEvidence: 0 });
    expect(shellFirstSearches("it said something")).toBeNull();
    const twice = { criteria: [...evidenceOf("a.ts:1").criteria, ...evidenceOf("a.ts:2").criteria] };
    expect(unverifiableClaims(["It holds", "It lasts"], twice, { evidenceRefs: [] })).toEqual({
      count: 1,
      withEvidence: 1,
    });
  });

  it.each([
    ["`grep -rn one .`", 1],
    ["bash -lc 'cd src && rg one'", 1],
    ["LC_ALL=C /usr/bin/grep one a.txt", 1],
    ["time git -C packages/a grep one", 1],
    ["find . -name '*.ts' | xargs -n 1 egrep one", 1],
    ["if grep -q one a.txt; then echo yes; fi", 1],
    ["sed -n 1,5p a.txt", 1],
    ["sed -i s/one/two/ a.txt", 0],
    ["git log", 0],
    ["echo 'first; grep one'", 0],
    ["python grep.py", 0],
    ["npm run ls", 0],
    ["npm test 2>&1 | tail -n 20", 0],
    ["npm test |& grep -v ok | head", 0],
    ["git log | sed -n 1,5p", 0],
    ["cat > a.txt <<'END'\none\nEND", 0],
    ["git log --name-only | xargs grep one", 1],
    ["echo one | grep -rf - src", 1],
    ["cat a.txt | head", 1],
    ["npm test | tail; tail log.txt", 1],
    ["su -c 'rg one'", 1],
    ["sudo -u test ls", 1],
    ["python3 - <<'END'\nhead = 3\nEND", 0],
    ['grep -q one <<< "$(npm test)"', 0],
  ])("has searched in the shell by the programs that it started: %s [S3-EV-10]", (command, searches) => {
    expect(shellFirstSearches(`tool: [execute] ${command}\ntool: [search] one`)).toBe(searches);
  });
});
