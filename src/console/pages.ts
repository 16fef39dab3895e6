import type { Context, Hono } from "hono";
import { drawPng } from "../chart/png.ts";
import { doctor } from "../commands/doctor.ts";
import { preferences } from "../commands/preferences.ts";
import { escalationMarkdown } from "../core/cards/escalation-card.ts";
import { weekChart } from "../core/reports/chart.ts";
import { chartWidths } from "../core/reports/chart-layout.ts";
import { getEvidence } from "../db/evidence.ts";
import type { Deps } from "../deps.ts";
import { keptOutput } from "../facts/kept-output.ts";
import { gatherBundle } from "../turns/recovery/escalate.ts";
import { readForPage } from "./actions.ts";
import type { WhoCalls } from "./caller.ts";
import { campaignPage } from "./campaign-page.ts";
import { campaignsPage } from "./campaigns-page.ts";
import { cardPage } from "./card-page.ts";
import { channelPage, olderPage } from "./channel-page.ts";
import { diffPage } from "./diff-page.ts";
import type { DrawContext } from "./draw.ts";
import { events } from "./events.ts";
import type { Flash } from "./flash.ts";
import type { Flashes } from "./flashes.ts";
import { goalPage } from "./goal-page.ts";
import { goalsPage, readGoalsShown } from "./goals-page.ts";
import { changedPage, messagePage } from "./layout.ts";
import type { ConsoleEnv, ConsoleDoor } from "./security.ts";
import { isStillOpen } from "./sessions.ts";
import { spendPage } from "./spend-page.ts";
import { postedWeek, thisWeek, weekPage } from "./week-page.ts";

type App = Hono<ConsoleEnv>;

/** Reads a row's number from an address; null when it is missing or invalid. */
function placeIn(given: string | undefined): number | null {
  return /^[0-9]{1,15}$/.test(given ?? "") ? Number(given) : null;
}

/** How long the live channel is served: while the reader is let in and the console is not stopping. */
interface Live {
  readonly door: ConsoleDoor;
  readonly stopping: AbortSignal;
}

/** Adds the pages and the files that they link to. */
export function addPages(app: App, deps: Deps, flashes: Flashes, { door, stopping }: Live): void {
  const drawing = (context: Context<ConsoleEnv>, back: string): DrawContext => drawingFor(deps, context, back);
  const flash = (context: Context): Flash | null => flashes.kept(context.req.query("said") ?? "");
  app.get("/", async (context) =>
    context.html(await channelPage(deps, drawing(context, "/"), flash(context), { text: "", repository: null })),
  );
  app.get("/older/:before{[0-9]{1,15}}", async (context) => {
    const before = Number(context.req.param("before"));
    return context.html(await olderPage(deps, drawing(context, `/older/${before}`), flash(context), before));
  });
  app.get("/events", (context) =>
    events(
      deps,
      { drawing: drawing(context, "/"), isOpen: () => isStillOpen(context.get("visitor").session, door), stopping },
      context,
    ),
  );
  app.get("/goals", async (context) => {
    const shown = readGoalsShown((name) => context.req.query(name));
    return context.html(await goalsPage(deps, drawing(context, "/goals"), shown));
  });
  app.get("/goals/:id", async (context) => {
    const id = context.req.param("id");
    const asked = { flash: flash(context), before: placeIn(context.req.query("before")) };
    const drawn = await goalPage(deps, drawing(context, `/goals/${id}`), id, asked);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no goal ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/goals/:id/diff", async (context) => {
    const id = context.req.param("id");
    const drawn = await diffPage(deps, id);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no goal ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/campaigns", async (context) => context.html(await campaignsPage(deps, drawing(context, "/campaigns"))));
  app.get("/campaigns/:id", async (context) => {
    const id = context.req.param("id");
    const place = (name: string) => placeIn(context.req.query(name));
    const asked = { flash: flash(context), before: place("before"), days: place("days") };
    const drawn = await campaignPage(deps, drawing(context, `/campaigns/${id}`), id, asked);
    return drawn === null
      ? context.html(messagePage("Not found", `There is no campaign ${id}.`), 404)
      : context.html(drawn);
  });
  app.get("/weekly", async (context) => context.html(await weekPage(deps, drawing(context, "/weekly"))));
  app.get("/weekly.png", async (context) => {
    const theme = context.req.query("theme") === "dark" ? "dark" : "light";
    const card = context.req.query("card");
    const week = card === undefined ? (await thisWeek(deps)).week : await postedWeek(deps, card);
    if (week === null) return context.html(messagePage("Not found", "No card shows that picture."), 404);
    const shape = context.req.query("shape") === "narrow" ? "narrow" : "wide";
    const png = await drawPng(weekChart(week, theme, shape), chartWidths[shape]);
    return context.body(new Uint8Array(png), 200, { "content-type": "image/png", "cache-control": "no-store" });
  });
  app.get("/escalations/:file{[\\w-]+\\.md}", async (context) => {
    const id = context.req.param("file").replace(/\.md$/, "");
    const found = await gatherBundle(deps.database.db, id);
    if (found === null) return context.html(messagePage("Not found", `There is no escalation ${id}.`), 404);
    const name = `attachment; filename="${id}.md"`;
    const headers = { "content-type": "text/markdown; charset=utf-8", "content-disposition": name };
    return context.body(escalationMarkdown(found.bundle), 200, headers);
  });
  app.get("/evidence/:id", async (context) => await evidenceFile(deps, context));
}

/** Adds the pages of spending, learnt preferences and the doctor. */
export function addReports(app: App, deps: Deps, callerOf: WhoCalls): void {
  app.get("/spend", async (context) => context.html(await spendPage(deps)));
  for (const [path, title, current, wanted] of [
    ["/preferences", "Preferences", "preferences", () => preferences.with({})],
    ["/health", "Health", "health", () => doctor.with({})],
  ] as const)
    app.get(path, async (context) => {
      const said = await readForPage(deps, await callerOf(context), wanted());
      return context.html(cardPage(title, current, { said, drawing: drawingFor(deps, context, path) }));
    });
}

/** Serves the kept output of one execution as plain text. */
async function evidenceFile(deps: Deps, context: Context): Promise<Response> {
  const id = Number(context.req.param("id"));
  const row = Number.isSafeInteger(id) && id > 0 ? await getEvidence(deps.database.db, id) : null;
  const kept = await keptOutput(deps, row);
  switch (kept.type) {
    case "gone":
      return context.html(messagePage("Not found", goneWords(deps.store !== null)), 404);
    case "away":
      return context.html(messagePage("Not now", `${kept.reason}. Try it again.`), 503);
    case "changed":
      return context.html(changedPage(row?.sha256 ?? "", kept.sha256), 409);
    case "as kept":
      return context.body(new Uint8Array(kept.bytes), 200, { "content-type": "text/plain; charset=utf-8" });
  }
}

/** Returns how pages are drawn for the sender of a request. */
export function drawingFor({ config }: Deps, context: Context<ConsoleEnv>, back: string): DrawContext {
  return { zone: config.timezone, csrf: context.get("visitor").csrf, back };
}

function goneWords(hasStore: boolean): string {
  const gone = "No output is kept under that number, or it is not there any more.";
  return hasStore
    ? gone
    : `${gone} What another machine has kept is shown where COS_STORE_URL is set (docs/operating.md).`;
}
