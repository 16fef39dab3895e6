import type { SettingGroup } from "./setting.ts";

/** Where spans are sent. */
export const traceSettings = [
  {
    title: "Traces (OpenTelemetry)",
    settings: [
      {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        usual: "no traces",
        example: "http://127.0.0.1:4318",
        about:
          "Where bots and workers send spans of turns, agents, criteria, commands and messages, as OTLP over HTTP; v1/traces is put behind it (docs/operating.md).",
      },
      {
        name: "OTEL_EXPORTER_OTLP_HEADERS",
        usual: "none",
        example: "",
        about: "What is sent with them: name=value with commas between several, values percent-encoded.",
        isSecret: true,
      },
      {
        name: "OTEL_SERVICE_NAME",
        usual: "chief-of-staff",
        example: "cos-staging",
        about: "What these processes are called there.",
      },
    ],
  },
] as const satisfies readonly SettingGroup[];
