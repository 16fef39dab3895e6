/** The text format of Prometheus, version 0.0.4. */

export type Labels = Readonly<Record<string, string>>;

export interface MetricSample {
  /** The text after the family's name: "", or "_bucket", "_sum", "_count" for a histogram. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  /** As returned by `labels`. */
  readonly label: string;
  readonly value: number;
}

/** All samples with one name. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly MetricSample[];
}

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** Returns `a="1",b="2"`, without braces. Values may contain any text. */
export function labels(of: Labels): string {
  return Object.entries(of)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`)
    .join(",");
}

/** Returns families in Prometheus' text format, version 0.0.4. */
export function exposition(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(
      ({ suffix = "", label, value }) => `${name}${suffix}${label === "" ? "" : `{${label}}`} ${numberText(value)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return String(value);
}
