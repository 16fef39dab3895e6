import type { Config } from "../config.ts";
import type { Finding } from "../core/reports/finding.ts";
import { tracingTrouble } from "../tracing/reach.ts";

/** Returns the lines of `cos doctor` about OpenTelemetry, if an endpoint is set: whether it accepts spans. */
export async function findTracing({ tracing }: Pick<Config, "tracing">): Promise<Finding[]> {
  if (tracing === null) return [];
  const name = "traces";
  const trouble = await tracingTrouble(tracing);
  if (trouble === null) return [{ name, ok: true, says: `${tracing.url} takes them, as ${tracing.service}` }];
  const says = `${tracing.url} does not take them: ${trouble} (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS). Goals go on without`;
  return [{ name, ok: false, says }];
}
