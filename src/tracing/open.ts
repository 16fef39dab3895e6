import type { TracingSettings } from "../core/tracing-settings.ts";
import type { Log } from "../log.ts";
import { type Tracing, noTracing, type TracedProcess } from "./tracing.ts";

/** Reads the packages that make and send spans only where they go somewhere. */
export async function openTracing(settings: TracingSettings | null, origin: TracedProcess, log: Log): Promise<Tracing> {
  if (settings === null) return noTracing;
  const { openExport } = await import("./export.ts");
  return openExport(settings, origin, log);
}
