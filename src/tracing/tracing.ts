/**
 * What a span is told: ids, names of ours, numbers. Never a prompt, output, a path, or words of a person or an agent. Each is
 * an attribute that begins with `cos.`; null is left out.
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

/** Spans for OpenTelemetry. Nothing here fails, waits or throws on behalf of who receives them. */
export interface Tracing {
  /**
   * Does `work` as a span; those that begin meanwhile, about the same goal or none, are its children. `end` is asked of the
   * result what it came to. When `work` throws, the span says so and of which kind the error is, not its words.
   */
  span<Result>(
    name: string,
    about: SpanAbout,
    work: () => Promise<Result>,
    end?: (result: Result) => SpanAbout | Promise<SpanAbout>,
  ): Promise<Result>;
  /** What is over now and took so long. */
  over(name: string, about: SpanAbout, durationMs: number): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Where no endpoint is set. */
export const noTracing: Tracing = {
  span: (_name, _about, work) => work(),
  over: () => undefined,
  close: async () => undefined,
};

/** What this process is. */
export interface TracedProcess {
  readonly machine: string;
  readonly pid: number;
  readonly roles: readonly string[];
}
