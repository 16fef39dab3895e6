import type { TracingSettings } from "../core/tracing-settings.ts";
import type { Reader } from "./reader.ts";

/** Reads the endpoint for spans, from OpenTelemetry's own variables; null when none is set. */
export function readTracing(reader: Reader): TracingSettings | null {
  const endpoint = reader.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"]);
  const headers = readHeaders(reader);
  const service = reader.value("OTEL_SERVICE_NAME") ?? "chief-of-staff";
  if (endpoint === null) return null;
  const url = new URL(endpoint);
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    reader.problem(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "an address without a password: that goes into OTEL_EXPORTER_OTLP_HEADERS",
    );
    return null;
  }
  // As in the OTLP exporter specification, the path of a signal is appended to the endpoint's path.
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return { url: url.href, headers, service };
}

/** Reads `name=value,name=value` with percent-encoded values (OTLP exporter specification). */
function readHeaders({ list, problem }: Reader): Record<string, string> {
  const name = "OTEL_EXPORTER_OTLP_HEADERS";
  const headers: Record<string, string> = {};
  for (const each of list(name)) {
    const [header = "", ...rest] = each.split("=");
    const value = rest.length === 0 ? null : decode(rest.join("=").trim());
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header.trim()) || value === null || /[^\t\x20-\x7e]/.test(value)) {
      problem(name, "name=value, with commas between several and %20 for what is no plain letter");
      return {};
    }
    headers[header.trim().toLowerCase()] = value;
  }
  return headers;
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
