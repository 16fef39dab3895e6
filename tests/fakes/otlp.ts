import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** A receiver of OpenTelemetry's traces (OTLP over HTTP, JSON), as collectors are. */
export interface Receiver {
  readonly endpoint: string;
  readonly spans: readonly Received[];
  /** Everything that was sent, as it came. */
  readonly bodies: readonly string[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  /** From now on everything is answered like this; "never": not at all; null: spans are taken. */
  answer(how: number | "never" | null): void;
  asked(): number;
  close(): Promise<void>;
}

export interface Received {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly tookMs: number;
  /** Of the span and of what made it. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** 2: an error. */
  readonly status: number | undefined;
}

const value = z.union([
  z.object({ stringValue: z.string() }).transform((each) => each.stringValue),
  z.object({ boolValue: z.boolean() }).transform((each) => each.boolValue),
  z.object({ intValue: z.union([z.number(), z.string()]) }).transform((each) => Number(each.intValue)),
  z.object({ doubleValue: z.number() }).transform((each) => each.doubleValue),
  z.object({ arrayValue: z.unknown() }).transform((each) => JSON.stringify(each.arrayValue)),
]);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((each) => [each.key, each.value])));

/** opentelemetry-proto, `ExportTraceServiceRequest` as JSON: ids are hex, times are nanoseconds in texts. */
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes,
              status: z.object({ code: z.number().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export async function startReceiver(): Promise<Receiver> {
  const spans: Received[] = [];
  const bodies: string[] = [];
  const headers: Record<string, unknown>[] = [];
  let how: number | "never" | null = null;
  let asked = 0;

  function take(body: string): void {
    bodies.push(body);
    for (const { resource, scopeSpans } of exported.parse(JSON.parse(body)).resourceSpans)
      for (const span of scopeSpans.flatMap((each) => each.spans))
        spans.push({
          name: span.name,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          tookMs: Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1000n) / 1000,
          attributes: { ...resource.attributes, ...span.attributes },
          status: span.status?.code,
        });
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked += 1;
    if (how === "never") return;
    const isForTraces = request.method === "POST" && request.url === "/v1/traces";
    const status = isForTraces ? (how ?? 200) : 404;
    if (status === 200) {
      headers.push(request.headers);
      take(Buffer.concat(chunks).toString());
    }
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  }

  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    headers,
    answer(wanted) {
      how = wanted;
    },
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
