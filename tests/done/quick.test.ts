import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";

/** What agents start at every stop loads nothing that it does not use: most of its CPU is reading programs. */

describe("cos done and the hooks", () => {
  it("carry neither a chat platform nor a database nor a queue", async () => {
    const entryPoints = ["src/done/cli.ts", "src/done/hook.ts", "src/done/worklog-hook.ts"];
    const { metafile } = await build({
      absWorkingDir: projectDir,
      entryPoints,
      outdir: "nowhere",
      write: false,
      metafile: true,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });

    const packages = Object.keys(metafile.inputs).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    const heavy = ["discord.js", "@slack/bolt", "pg", "bullmq", "drizzle-orm", "hono", "ai", "gpt-tokenizer"];
    expect([...new Set(packages)].filter((name) => heavy.includes(name))).toEqual([]);
    expect(packages).toContain("zod");
  });
});
