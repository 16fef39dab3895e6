import type { TracingSettings } from "../core/tracing-settings.ts";
import type { Log } from "../log.ts";
import { type Tracing, noTracing, type TracedProcess } from "./tracing.ts";

/** Opens tracing. The packages for spans are loaded only when an endpoint is set. */
export async function openTracing(settings: TracingSettings | null, origin: TracedProcess, log: Log): Promise<Tracing> {
  if (settings === null) return noTracing;
  const { openExport } = await import("./export.ts");
  return openExport(settings, origin, log);
}
