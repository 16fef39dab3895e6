/** Prometheus text held to the rules of its format (0.0.4) and of naming; what breaks one is thrown. */

export interface ReadFamily {
  readonly type: string;
  readonly help: string;
  /** By name and labels as they were written. */
  readonly samples: ReadonlyMap<string, number>;
}

const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\+Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

export function readExposition(text: string): ReadonlyMap<string, ReadFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, { type: string; help: string; samples: Map<string, number> }>();
  let current = "";
  let help: string | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, words] = /^# HELP (\S+) (\S.*)$/.exec(line) ?? [];
    if (helped !== undefined) {
      if (families.has(helped)) throw new Error(`twice: ${helped}`);
      [current, help] = [helped, words ?? ""];
      continue;
    }
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) {
      if (typed !== current || help === null) throw new Error(`without help: ${line}`);
      families.set(typed, { type: type ?? "", help, samples: new Map() });
      help = null;
      continue;
    }
    const [, name = "", labels = "", value = ""] = sampleLine.exec(line) ?? [];
    const family = families.get(current);
    const suffixes = family?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (family === undefined || !suffixes.some((suffix) => name === `${current}${suffix}`))
      throw new Error(`no sample of ${current}: ${line}`);
    const key = labels === "" ? name : `${name}{${labels}}`;
    if (family.samples.has(key)) throw new Error(`twice: ${key}`);
    family.samples.set(key, value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value));
  }
  for (const [name, family] of families) {
    if ((family.type === "counter") !== name.endsWith("_total")) throw new Error(`a counter ends in _total: ${name}`);
    if (family.type === "histogram") checkBuckets(name, family.samples);
  }
  return families;
}

/** Of each series: buckets that rise, the last of them as many as are counted. */
function checkBuckets(name: string, samples: ReadonlyMap<string, number>): void {
  let last = { below: 0, bound: Number.NEGATIVE_INFINITY };
  for (const [key, value] of samples) {
    const [, labels = "", bound] = /^[^{]*\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? [];
    if (bound === undefined) continue;
    const le = bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound);
    if (le <= last.bound || value < last.below) throw new Error(`buckets do not rise: ${key}`);
    last = { below: value, bound: le };
    if (bound !== "+Inf") continue;
    const of = labels === "" ? "" : `{${labels}}`;
    if (samples.get(`${name}_count${of}`) !== value || samples.get(`${name}_sum${of}`) === undefined)
      throw new Error(`count or sum of ${name}${of}`);
    last = { below: 0, bound: Number.NEGATIVE_INFINITY };
  }
}
