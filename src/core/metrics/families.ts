import { type Count, counters, histograms } from "./counted.ts";
import { type MetricFamily, labels, type MetricSample } from "./exposition.ts";

/** Returns the counts as Prometheus families. `platforms`: each is shown even before its first count. */
export function countedFamilies(counts: readonly Count[], platforms: readonly string[]): MetricFamily[] {
  const known = new Map(counts.map(({ about, label, number }) => [`${about} ${label}`, number]));
  const numberOf = (about: string, label: string): number => known.get(`${about} ${label}`) ?? 0;

  const ofCounters = Object.entries(counters).map(([name, { help, label }]): MetricFamily => {
    const usual = label === null ? [""] : label.values.map((value) => labels({ [label.name]: value }));
    const seen = counts.filter(({ about }) => about === name).map((each) => each.label);
    const samples = [...new Set([...usual, ...seen])].map((each) => ({ label: each, value: numberOf(name, each) }));
    return { name, help, type: "counter", samples };
  });

  const ofHistograms = Object.entries(histograms).map(([name, { help, bounds, label }]): MetricFamily => {
    const groups = label === null ? [{}] : platforms.map((value) => ({ [label]: value }));
    const samples = groups.flatMap((of): MetricSample[] => {
      let below = 0;
      const buckets = [...bounds.map(String), "+Inf"].map((le): MetricSample => {
        const bucket = labels({ ...of, le });
        below += numberOf(name, bucket);
        return { suffix: "_bucket", label: bucket, value: below };
      });
      const own = labels(of);
      return [
        ...buckets,
        { suffix: "_sum", label: own, value: numberOf(`${name}_sum`, own) },
        { suffix: "_count", label: own, value: below },
      ];
    });
    return { name, help, type: "histogram", samples };
  });

  return [...ofCounters, ...ofHistograms];
}
