import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "../core/tracing-settings.ts";
import type { Log } from "../log.ts";
import type { TracedProcess, SpanAbout, Tracing } from "./tracing.ts";

/** Maximum length of an attribute, in characters; a longer one is a mistake. */
const longestValue = 200;

/** Maximum number of spans that wait to be sent; further ones are lost. */
const mostWaiting = 2_048;

const sendEveryMs = 2_000;
const sendWithinMs = 5_000;
const longestCloseMs = 2_000;

/** Opens tracing that sends spans as OTLP over HTTP (JSON), in batches. */
export function openExport(settings: TracingSettings, origin: TracedProcess, log: Log): Tracing {
  const { url, headers, service } = settings;
  const exporter = saidOnce(new OTLPTraceExporter({ url, headers, timeoutMillis: sendWithinMs }), log);
  const ids = openIds();
  const provider = new TracerProvider({
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: longestValue },
    resource: resourceFromAttributes({
      "service.name": service,
      "service.instance.id": `${origin.machine}/${origin.pid}`,
      "host.name": origin.machine,
      "process.pid": origin.pid,
      "cos.roles": [...origin.roles],
    }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: mostWaiting, scheduledDelayMillis: sendEveryMs }),
    ],
  });
  const tracer = provider.getTracer("chief-of-staff");
  const current = new AsyncLocalStorage<Span>();

  /** A span about a goal is in the trace of that goal, whatever caused it. */
  function start(name: string, about: SpanAbout, startTime?: number): Span {
    const parent = current.getStore();
    const wanted = typeof about.goal === "string" ? traceOf(about.goal) : null;
    const options = { attributes: attributesOf(about), ...(startTime === undefined ? {} : { startTime }) };
    if (parent !== undefined && (wanted === null || parent.spanContext().traceId === wanted))
      return tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    const links = parent === undefined ? [] : [{ context: parent.spanContext() }];
    return ids.inTrace(wanted, ROOT_CONTEXT, (context) => tracer.startSpan(name, { ...options, links }, context));
  }

  return {
    async span(name, about, work, end) {
      const span = start(name, about);
      try {
        const result = await current.run(span, work);
        if (end !== undefined) span.setAttributes(attributesOf(await askedOf(end, result)));
        return result;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "thrown" });
        throw error;
      } finally {
        span.end();
      }
    },
    over(name, about, durationMs) {
      const nowMs = Date.now();
      start(name, about, nowMs - durationMs).end(nowMs);
    },
    async close() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(longestCloseMs, undefined, { ref: false })]);
    },
  };
}

/** Returns the attributes of a result; none when that fails, because the work itself is done. */
async function askedOf<Result>(
  end: (result: Result) => SpanAbout | Promise<SpanAbout>,
  result: Result,
): Promise<SpanAbout> {
  try {
    return await end(result);
  } catch {
    return {};
  }
}

/** The trace id of a goal, the same in every process without coordination: the beginning of the id's SHA-256. */
function traceOf(goalId: string): string {
  return createHash("sha256").update(goalId).digest("hex").slice(0, 32);
}

/** Random ids, except for a requested trace id. */
function openIds() {
  const random = new RandomIdGenerator();
  let next: string | null = null;
  return {
    generateSpanId: () => random.generateSpanId(),
    generateTraceId: () => next ?? random.generateTraceId(),
    /** A span that `begin` starts without a parent is in trace `traceId`; null for a new trace. */
    inTrace(traceId: string | null, context: Context, begin: (context: Context) => Span): Span {
      next = traceId;
      try {
        return begin(context);
      } finally {
        next = null;
      }
    },
  };
}

function attributesOf(about: SpanAbout): Attributes {
  return Object.fromEntries(
    Object.entries(about).flatMap(([name, value]) => (value === null ? [] : [[`cos.${name}`, value]])),
  );
}

/** Logs once when the receiver fails, and once when it accepts spans again. */
function saidOnce(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isAway) log.warn("traces.not-sent", { error: result.error });
        if (!failed && isAway) log.info("traces.sent-again");
        isAway = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
