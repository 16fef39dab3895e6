import { linesCard } from "../core/cards/lists.ts";
import { type KeptItem, keptLine, pruneTitle } from "../core/cards/prune-words.ts";
import type { Deps } from "../deps.ts";
import type { KeptHere } from "../turns/housekeeping/kept.ts";
import { judgeKept, prune } from "../turns/housekeeping/prune.ts";
import { folderSize } from "../turns/housekeeping/size.ts";
import { command, type CommandResult, done } from "./command.ts";
import { flag } from "./fields.ts";

/** Time limit for measuring one folder. */
const measureWithinMs = 5_000;

export const pruneNow = command({
  name: "prune",
  summary: "Remove worktrees, output and attempts of goals that are over for long enough, as happens hourly by itself.",
  access: "change",
  options: { dryRun: flag("only say what would go, and why the rest stays") },
  run: (deps, _caller, { dryRun }) => (dryRun ? show(deps) : remove(deps)),
});

async function show(deps: Deps): Promise<CommandResult> {
  const judged = await judgeKept(deps);
  const items = [];
  for (const { kept, verdict } of judged) items.push({ item: await itemOf(kept), verdict, kept });
  const goes = items.filter(({ verdict }) => verdict.type === "goes");
  const value = items.map(({ item, verdict, kept }) => ({
    ...valueOf(item, kept),
    goes: verdict.type === "goes",
    because: verdict.type === "goes" ? null : verdict.because,
  }));
  const title = pruneTitle(
    goes.map(({ item }) => item),
    items.length - goes.length,
    false,
  );
  return done(
    value,
    linesCard(
      title,
      items.map(({ item, verdict }) => keptLine(item, verdict)),
    ),
  );
}

async function remove(deps: Deps): Promise<CommandResult> {
  const items = new Map<string, KeptItem>();
  for (const { kept, verdict } of await judgeKept(deps))
    if (verdict.type === "goes") items.set(`${kept.kind} ${kept.name}`, await itemOf(kept));
  const gone = (await prune(deps)).map((kept) => ({
    kept,
    item: items.get(`${kept.kind} ${kept.name}`) ?? { ...kept, size: null },
  }));
  const removed = gone.map(({ item }) => item);
  return done(
    gone.map(({ item, kept }) => valueOf(item, kept)),
    linesCard(
      pruneTitle(removed, 0, true),
      removed.map((item) => keptLine(item, { type: "goes" })),
    ),
  );
}

async function itemOf({ kind, name, place }: KeptHere): Promise<KeptItem> {
  return { kind, name, size: place.type === "folder" ? await folderSize(place.path, measureWithinMs) : null };
}

function valueOf({ kind, name, size }: KeptItem, { owner }: KeptHere) {
  return { kind, name, goalId: owner?.goalId ?? null, bytes: size?.bytes ?? null };
}
