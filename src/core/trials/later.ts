/**
 * A work whose source begins to read a clock is tried once with all clocks moved forward (docs/proofs.md, 6): the date is later, and the
 * process has run for some of these days.
 */

/** Number of days forward: further than people mean by *soon*, and nearer than the expiry of data in tests. */
export const laterDays = 400;

/** Hours added to these days, so that the time of day differs, too. */
const laterHours = 11;

function hoursOf(days: number): number {
  return days * 24 + laterHours;
}

/**
 * Age of the process, in days; the remaining days lie before its start. Age and start add up to the date. This detects source that is
 * right only while its process is young, and source that is right until a day, judged by when its process began.
 */
function agedDays(days: number): number {
  return days / 10;
}

/**
 * Programs that move the clock forward by `days` for what runs in a place. Keys are their names in the folder they are written to: Node
 * runs `--require clock.cjs`, Python loads `sitecustomize.py` from its path, a shell finds `date` first. A program that asks the kernel in
 * another way gets today.
 */
export function laterPrograms(days: number): Readonly<Record<"clock.cjs" | "sitecustomize.py" | "date", string>> {
  return { "clock.cjs": clocksOfNode(days), "sitecustomize.py": clocksOfPython(days), date: dateOfShell(days) };
}

function clocksOfNode(days: number): string {
  return `const ahead = ${hoursOf(days)} * 3_600_000;
const aged = ${agedDays(days)} * 86_400_000;
const Real = Date;
const now = () => Real.now() + ahead;
const Later = new Proxy(Real, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made === Later ? target : made),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
Real.prototype.constructor = Later;
globalThis.Date = Later;
${replacing}
const running = process;
method(running, "uptime", (plain) => () => plain() + aged / 1000);
const { hrtime } = running;
method(running, "hrtime", (plain) => (since) => {
  if (since !== undefined) return plain([since[0] - aged / 1000, since[1]]);
  const [seconds, rest] = plain();
  return [seconds + aged / 1000, rest];
});
if (typeof hrtime?.bigint === "function") running.hrtime.bigint = () => hrtime.bigint() + BigInt(aged) * 1_000_000n;
${measuring}
const forms = Intl.DateTimeFormat.prototype;
getter(forms, "format", (plain) => (at = now()) => plain(at));
method(
  forms,
  "formatToParts",
  (plain) =>
    function (at = now()) {
      return plain.call(this, at);
    },
);
`;
}

/** JavaScript that replaces a method or getter where it exists, and otherwise does nothing. */
const replacing = `function found(owner, name) {
  for (let at = owner; at !== undefined && at !== null; at = Object.getPrototypeOf(at)) {
    const own = Object.getOwnPropertyDescriptor(at, name);
    if (own !== undefined) return { at, own };
  }
  return { at: owner, own: {} };
}
function method(owner, name, make) {
  const { at, own } = found(owner, name);
  if (typeof own.value !== "function" || !own.configurable) return;
  const value = make(own.value);
  Object.defineProperty(value, "name", { configurable: true, value: own.value.name });
  Object.defineProperty(at, name, { ...own, value });
}
function getter(owner, name, make) {
  const { at, own } = found(owner, name);
  if (typeof own.get !== "function" || !own.configurable) return;
  const get = function () {
    return make(own.get.call(this), this);
  };
  Object.defineProperty(at, name, { ...own, get });
}`;

/**
 * JavaScript that adds the age of the process to the times that a program reads from `performance`. Times that the program passes back to
 * Node are reduced again.
 */
const measuring = `const { performance: measured, PerformanceEntry } = require("perf_hooks");
const given = new WeakSet();
const isAged = (at) => typeof at === "number" && at >= aged;
const young = (at) => (isAged(at) ? at - aged : at);
function youngIn(options) {
  if (options === null || typeof options !== "object") return young(options);
  const changed = {};
  for (const name of ["startTime", "start", "end"]) if (isAged(options[name])) changed[name] = young(options[name]);
  return Object.keys(changed).length === 0 ? options : { ...options, ...changed };
}
function measures(plain) {
  return function (name, ...rest) {
    const entry = plain.call(this, ...[name, ...rest.map(youngIn)].slice(0, arguments.length));
    const [first] = rest;
    const start = first !== null && typeof first === "object" ? (first.startTime ?? first.start) : first;
    if (typeof start === "number" && !isAged(start) && entry !== undefined) given.add(entry);
    return entry;
  };
}
method(
  measured,
  "now",
  (plain) =>
    function () {
      return plain.call(this ?? measured) + aged;
    },
);
method(measured, "mark", measures);
method(measured, "measure", measures);
getter(measured.nodeTiming, "duration", (at) => at + aged);
getter(PerformanceEntry?.prototype, "startTime", (at, entry) => (given.has(entry) ? at : at + aged));
method(
  PerformanceEntry?.prototype,
  "toJSON",
  (plain) =>
    function () {
      return { ...plain.call(this), startTime: this.startTime };
    },
);
getter(globalThis.Event?.prototype, "timeStamp", (at) => at + aged);
// The process began so many days on.
getter(measured, "timeOrigin", (at) => at + ahead - aged);`;

function clocksOfPython(days: number): string {
  return `import datetime
import gc
import time

ahead = ${hoursOf(days)} * 3_600


class Clock:
    """No descriptor, as built-in functions are none: it may stand in a class."""

    def __init__(self, plain, moved):
        self.plain, self.moved = plain, moved
        self.__name__, self.__qualname__, self.__doc__ = plain.__name__, plain.__qualname__, plain.__doc__
        self.__module__ = "time"

    def __call__(self, *given, **named):
        return self.moved(*given, **named)

    def __getattr__(self, name):
        return getattr(self.__dict__["plain"], name)

    def __repr__(self):
        return repr(self.plain)

    def __reduce__(self):
        return self.__qualname__


def put(name, make):
    plain = getattr(time, name, None)
    if plain is not None:
        setattr(time, name, Clock(plain, make(plain)))


for name in ("time", "monotonic", "perf_counter", "process_time"):
    put(name, lambda plain: lambda: plain() + ahead)
    put(name + "_ns", lambda plain: lambda: plain() + ahead * 10**9)
for name in ("localtime", "gmtime", "ctime"):
    put(name, lambda plain: lambda at=None: plain(time.time() if at is None else at))
put("asctime", lambda plain: lambda at=None: plain(time.localtime() if at is None else at))
put("strftime", lambda plain: lambda form, at=None: plain(form, time.localtime() if at is None else at))


def replace(kind, name, moved):
    try:
        setattr(kind, name, moved)
    except TypeError:
        # A type of C is not changed in the open; another one in its place would be no type that others know.
        gc.get_referents(kind.__dict__)[0][name] = moved


def instant(cls, tz=None):
    return cls.fromtimestamp(clock(), tz)


def instant_utc(cls):
    return plain_utc.__get__(None, cls)() + datetime.timedelta(seconds=ahead)


# \`today\` asks time.time itself.
clock, plain_utc = time.time, datetime.datetime.__dict__["utcnow"]
for name, moved in (("now", instant), ("utcnow", instant_utc)):
    moved.__name__, moved.__qualname__ = name, "datetime." + name
    moved.__doc__ = getattr(datetime.datetime.__dict__[name], "__doc__", None)
    replace(datetime.datetime, name, classmethod(moved))
`;
}

function dateOfShell(days: number): string {
  return `#!/bin/sh
PATH=\${PATH#*:}
for each in "$@"; do
  case "$each" in -d* | --date* | -r* | --ref* | -s* | --set* | -f* | --file*) exec date "$@" ;; esac
done
exec date -d '+${hoursOf(days)} hours' "$@"
`;
}
