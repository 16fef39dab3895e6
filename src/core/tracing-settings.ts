/** The destination of spans. */
export interface TracingSettings {
  /** The URL for OTLP over HTTP: the endpoint with `v1/traces` appended. */
  readonly url: string;
  /** Sent with each request; the values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service name of these processes there. */
  readonly service: string;
}
