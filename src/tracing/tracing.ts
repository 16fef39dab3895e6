/**
 * The attributes of a span: ids, our own names and numbers. Never a prompt, output, a path, or words of a person or an agent. Each
 * becomes an attribute with the prefix `cos.`; null is left out.
 */
export type SpanAbout = Readonly<Partial<Record<AboutName, string | number | boolean | null>>>;

type AboutName =
  | "goal"
  | "session"
  | "campaign"
  | "checkpoint"
  | "run"
  | "turn"
  | "phase"
  | "piece"
  | "repository"
  | "interrupted"
  | "outcome"
  | "executor"
  | "cost_usd"
  | "cost_is_estimated"
  | "criterion"
  | "variant"
  | "method"
  | "exit_code"
  | "command"
  | "via"
  | "subject"
  | "message"
  | "platform"
  | "ready";

/** Spans for OpenTelemetry. Nothing here fails, waits or throws because of the receiver. */
export interface Tracing {
  /**
   * Runs `work` in a span. Spans that begin meanwhile, about the same goal or none, become its children. `end` returns further
   * attributes from the result. When `work` throws, the span records the type of the error, not its message.
   */
  span<Result>(
    name: string,
    about: SpanAbout,
    work: () => Promise<Result>,
    end?: (result: Result) => SpanAbout | Promise<SpanAbout>,
  ): Promise<Result>;
  /** Records a span that ends now and took `durationMs`. */
  over(name: string, about: SpanAbout, durationMs: number): void;
  /** Sends the remaining spans, within at most two seconds. */
  close(): Promise<void>;
}

/** Used when no endpoint is set. */
export const noTracing: Tracing = {
  span: (_name, _about, work) => work(),
  over: () => undefined,
  close: async () => undefined,
};

/** Identifies this process. */
export interface TracedProcess {
  readonly machine: string;
  readonly pid: number;
  readonly roles: readonly string[];
}
