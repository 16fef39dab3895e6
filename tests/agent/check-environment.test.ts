import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkEnvironment } from "../../src/agent/verify/check-environment.ts";
import { makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

it("a tool that never says its version, and hears no request to end, counts as one that says none", async () => {
  const { mirror, base } = await makeWorktree();
  const [programs, before] = [temporaryFolder(), process.env["PATH"]];
  writeFiles(programs, { bun: "#!/bin/sh\ntrap '' TERM\nexec sleep 600\n" });
  chmodSync(join(programs, "bun"), 0o755);
  process.env["PATH"] = `${programs}${delimiter}${before}`;
  onTestFinished(() => void (process.env["PATH"] = before));

  const hash = await checkEnvironment({
    mirror,
    commit: base,
    setup: null,
    checks: ["bun test"],
    isolation: { shown: [], next: null },
  });

  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});
