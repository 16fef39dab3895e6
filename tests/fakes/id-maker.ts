import { defaultPolicy } from "../../src/core/policy.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { getGoal } from "../../src/db/goals.ts";
import { openLog } from "../../src/log.ts";
import { openWorklog } from "../../src/turns/shared/worklog/open.ts";

/**
 * A process of its own that opens worklogs of a goal, all at one moment: its clock stands still but for what it waits. Arguments:
 * database URL, goal, how many, its name, its clock. Prints their session ids as JSON.
 */
const [url = "", goalId = "", number = "0", name = "", clock = ""] = process.argv.slice(2);
const database = openDatabase(url, () => undefined, 2);
const goal = await getGoal(database.db, goalId);
if (goal === null) throw new Error("no goal");
let now = new Date(clock);
const timers = {
  after(ms: number, then: () => void) {
    now = new Date(now.getTime() + ms);
    const timer = setTimeout(then, 0);
    return () => clearTimeout(timer);
  },
};
const deps = { database, policy: defaultPolicy, now: () => now, timers, log: openLog("silent") };
const made: string[] = [];
for (let index = 0; index < Number(number); index += 1) {
  const opened = await openWorklog(deps, { goal, runId: `${name}-${index}` });
  if (opened === null) throw new Error("nobody wants a worklog");
  made.push(opened.worklog.sessionId);
}
process.stdout.write(JSON.stringify(made));
await database.close();
