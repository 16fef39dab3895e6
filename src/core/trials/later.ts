import type { Surroundings } from "./surroundings.ts";

/**
 * A work whose source begins to look at a clock is tried once with all clocks further on (PROOF.md, 6): it is a later day, and its
 * process has run until then.
 */

/** So far: further than people mean by *soon*, and nearer than what tests carry expires. */
export const laterDays = 400;

/** Whether a source begins to look at the date, or at how long its process has run. */
export function looksAtClock({ isTimed }: Surroundings): boolean {
  return isTimed;
}

/**
 * Programs by which what runs in a place finds the clock so many days on, by their names in the folder that is given: Node by
 * `--require clock.cjs`, Python by `sitecustomize.py` on its path, a shell by a `date` that it finds first. What asks the
 * kernel in another way finds today.
 */
export function laterPrograms(days: number): Readonly<Record<"clock.cjs" | "sitecustomize.py" | "date", string>> {
  return { "clock.cjs": clocksOfNode(days), "sitecustomize.py": clocksOfPython(days), date: dateOfShell(days) };
}

function clocksOfNode(days: number): string {
  return `const Real = Date;
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
const running = process;
const { hrtime, uptime } = running;
const measured = performance.now.bind(performance);
Object.defineProperty(performance, "timeOrigin", { configurable: true, value: performance.timeOrigin + ahead });
performance.now = () => measured() + ahead;
running.uptime = () => uptime() + ahead / 1000;
running.hrtime = (since) => {
  if (since !== undefined) return hrtime([since[0] - ahead / 1000, since[1]]);
  const [seconds, rest] = hrtime();
  return [seconds + ahead / 1000, rest];
};
running.hrtime.bigint = () => hrtime.bigint() + BigInt(ahead) * 1_000_000n;
const forms = Intl.DateTimeFormat.prototype;
const { get: format } = Object.getOwnPropertyDescriptor(forms, "format");
Object.defineProperty(forms, "format", {
  configurable: true,
  get() {
    const plain = format.call(this);
    return (at = now()) => plain(at);
  },
});
const { formatToParts } = forms;
forms.formatToParts = function (at = now()) {
  return formatToParts.call(this, at);
};
`;
}

function clocksOfPython(days: number): string {
  return `import datetime
import time

ahead = ${days} * 86_400
real = {name: getattr(time, name) for name in ("time", "time_ns", "localtime", "gmtime", "strftime", "ctime", "asctime")}
time.time = lambda: real["time"]() + ahead
time.time_ns = lambda: real["time_ns"]() + ahead * 10**9
time.localtime = lambda at=None: real["localtime"](time.time() if at is None else at)
time.gmtime = lambda at=None: real["gmtime"](time.time() if at is None else at)
time.ctime = lambda at=None: real["ctime"](time.time() if at is None else at)
time.asctime = lambda at=None: real["asctime"](time.localtime() if at is None else at)
time.strftime = lambda form, at=None: real["strftime"](form, time.localtime() if at is None else at)

for name in ("monotonic", "perf_counter", "process_time"):
    plain = getattr(time, name)
    exact = getattr(time, name + "_ns")
    setattr(time, name, lambda plain=plain: plain() + ahead)
    setattr(time, name + "_ns", lambda exact=exact: exact() + ahead * 10**9)


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
`;
}

function dateOfShell(days: number): string {
  return `#!/bin/sh
PATH=\${PATH#*:}
for each in "$@"; do
  case "$each" in -d* | --date* | -r* | --ref* | -s* | --set* | -f* | --file*) exec date "$@" ;; esac
done
exec date -d '+${days} days' "$@"
`;
}
