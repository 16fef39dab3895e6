/** Where spans go. */
export interface TracingSettings {
  /** Where they are posted as OTLP over HTTP: the endpoint with `v1/traces` behind it. */
  readonly url: string;
  /** Sent with each of them; their values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** What these processes are called there. */
  readonly service: string;
}
