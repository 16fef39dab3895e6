// Draws the README's chart of a week, for light and dark screens, from the month that the tests know.
//   npx tsx docs/weekly-pictures.ts
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawPng } from "../src/chart/png.ts";
import { chartSize, weekChart } from "../src/core/reports/chart.ts";
import { openDatabase } from "../src/db/connection/client.ts";
import { openEmbedded } from "../src/db/embedded/client.ts";
import { migrate } from "../src/db/connection/migrate.ts";
import { gatherWeekly } from "../src/turns/reports/week.ts";
import { projectDir } from "../tests/fakes/bot.ts";
import { configFor } from "../tests/fakes/config.ts";
import { insertMonth } from "../tests/fakes/month.ts";
import { month } from "../tests/fixtures/weekly-month.ts";

const dataDir = await mkdtemp(join(tmpdir(), "cos-weekly-"));
const embedded = await openEmbedded({ dataDir, onProgress: () => undefined });
try {
  await migrate(embedded.url);
  const { db, close } = openDatabase(embedded.url, () => undefined);
  await insertMonth(db);
  const config = configFor({ COS_DATA_DIR: dataDir, COS_TIMEZONE: month.zone });
  const now = () => new Date("2026-03-15T12:00:00Z");
  const { week } = await gatherWeekly(db, { config, policy: config.policy, now }, "2026-03-15");
  for (const theme of ["light", "dark"] as const) {
    const png = await drawPng(weekChart(week, theme), chartSize.width);
    await writeFile(join(projectDir, "docs", `weekly-${theme}.png`), png);
  }
  await close();
} finally {
  await embedded.release();
  await rm(dataDir, { recursive: true, force: true });
}
