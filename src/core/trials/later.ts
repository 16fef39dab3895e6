import type { Surroundings } from "./surroundings.ts";

/** A work whose source begins to look at the date is tried once with the clock further on (PROOF.md, 6). */

/** So far: further than people mean by *soon*, and nearer than what tests carry expires. */
export const laterDays = 400;

const clocks: ReadonlySet<string> = new Set([
  "Date.now",
  "new Date",
  "time.time",
  "time.time_ns",
  "time.localtime",
  "time.gmtime",
  "time.strftime",
  "datetime.now",
  "datetime.today",
  "datetime.utcnow",
  "date.today",
  "date",
]);

/** Whether a source begins to look at the date; not at a clock that only measures. */
export function looksAtDate({ looks }: Surroundings): boolean {
  return looks.some((each) => clocks.has(each));
}

/**
 * Programs by which what runs in a place finds the clock so many days on, by their names in the folder that is given: Node by
 * `--require clock.cjs`, Python by `sitecustomize.py` on its path, a shell by a `date` that it finds first. What asks the
 * kernel in another way finds today.
 */
export function laterPrograms(days: number): Readonly<Record<"clock.cjs" | "sitecustomize.py" | "date", string>> {
  return {
    "clock.cjs": `const Real = Date;
const ahead = ${days} * 86_400_000;
const now = () => Real.now() + ahead;
const Later = new Proxy(Real, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made === Later ? target : made),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
Real.prototype.constructor = Later;
globalThis.Date = Later;
`,
    "sitecustomize.py": `import datetime
import time

ahead = ${days} * 86_400
real = {name: getattr(time, name) for name in ("time", "time_ns", "localtime", "gmtime", "strftime", "ctime")}
time.time = lambda: real["time"]() + ahead
time.time_ns = lambda: real["time_ns"]() + ahead * 10**9
time.localtime = lambda at=None: real["localtime"](time.time() if at is None else at)
time.gmtime = lambda at=None: real["gmtime"](time.time() if at is None else at)
time.ctime = lambda at=None: real["ctime"](time.time() if at is None else at)
time.strftime = lambda form, at=None: real["strftime"](form, time.localtime() if at is None else at)


def later(plain, given):
    class Kind(type):
        def __instancecheck__(cls, value):
            return isinstance(value, plain)

        def __subclasscheck__(cls, other):
            return issubclass(other, plain)

    return Kind(plain.__name__, (plain,), given)


days = datetime.timedelta(days=${days})
date, moment = datetime.date, datetime.datetime
datetime.date = later(date, {"today": classmethod(lambda cls: date.fromtimestamp(time.time()))})
datetime.datetime = later(
    moment,
    {
        "now": classmethod(lambda cls, tz=None: moment.now(tz) + days),
        "today": classmethod(lambda cls: moment.fromtimestamp(time.time())),
        "utcnow": classmethod(lambda cls: moment.utcnow() + days),
    },
)
`,
    date: `#!/bin/sh
PATH=\${PATH#*:}
for each in "$@"; do
  case "$each" in -d* | --date* | -r* | --ref* | -s* | --set* | -f* | --file*) exec date "$@" ;; esac
done
exec date -d '+${days} days' "$@"
`,
  };
}
