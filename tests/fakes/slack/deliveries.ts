import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { WebSocket } from "ws";
import { eventually } from "../bot.ts";
import { type Json, usualAnswerMs } from "./workspace.ts";

/** How the fake Slack tells the app what people do: over a socket, or as a signed request. */

/** What somebody who pressed or typed sees happen. */
export interface Seen {
  /** False: Slack showed its own error, because nobody acknowledged within 3 s. */
  readonly acknowledged: boolean;
  /** What came with the acknowledgement. */
  readonly answer: Json;
}

export interface Delivery {
  /** Delivered this often, at once, as the same event. */
  readonly times?: number;
  /** Nobody is told; the message is only there. */
  readonly isMissed?: boolean;
  /** The connection breaks right after the envelope was sent. */
  readonly dropsSocket?: boolean;
  /** It is acknowledged too late: the person saw Slack's own error, and its trigger has died. */
  readonly isExpired?: boolean;
  /** A command that is typed in another channel. */
  readonly in?: string;
  /** For signed requests. */
  readonly signature?: "forged" | "stale";
}

export type Envelope = "interactive" | "slash_commands" | "events_api";
export type Deliver = (type: Envelope, payload: Json, how?: Delivery) => Promise<Seen>;

export function openDeliveries(options: {
  readonly mode: "socket" | "http";
  readonly eventsPort: number;
  readonly signingSecret: string;
  readonly sockets: ReadonlySet<WebSocket>;
  readonly limits: { readonly answerMs: number };
}): Deliver {
  const { limits, sockets, signingSecret } = options;
  let nextSocket = 0;

  /** Who saw Slack's own error waits no longer than people do, however long a test's other answers may take. */
  function longestMs({ isExpired = false }: Delivery): number {
    return isExpired ? usualAnswerMs : limits.answerMs;
  }

  async function deliver(type: Envelope, payload: Json, how: Delivery = {}): Promise<Seen> {
    const send = options.mode === "http" ? overHttp : overSocket;
    const tries = Array.from({ length: how.times ?? 1 }, (_, index) => send(type, payload, how, index));
    const seen = await Promise.all(tries);
    const first = seen.find((each) => each.acknowledged) ?? seen[0];
    // Slack delivers events again that nobody took, and says so; presses it does not.
    if (type === "events_api" && first?.acknowledged !== true) {
      await eventually("the app to connect again", async () => options.mode === "http" || sockets.size > 0);
      return await send(type, payload, {}, 1);
    }
    return first ?? { acknowledged: false, answer: {} };
  }

  async function overSocket(type: Envelope, payload: Json, how: Delivery, retry: number): Promise<Seen> {
    const open = [...sockets];
    const socket = open[nextSocket++ % Math.max(open.length, 1)];
    if (socket === undefined) return { acknowledged: false, answer: {} };
    const envelopeId = randomUUID();
    const again = retry === 0 ? {} : { retry_attempt: retry, retry_reason: "timeout" };
    const seen = new Promise<Seen>((resolve) => {
      const timer = setTimeout(() => finish({ acknowledged: false, answer: {} }), longestMs(how));
      function finish(result: Seen): void {
        clearTimeout(timer);
        socket?.off("message", hear);
        socket?.off("close", unheard);
        resolve(result);
      }
      function hear(data: Buffer): void {
        const said = JSON.parse(data.toString()) as { envelope_id?: string; payload?: Json };
        if (said.envelope_id !== envelopeId) return;
        const isLate = how.isExpired === true;
        finish({ acknowledged: !isLate, answer: isLate ? {} : (said.payload ?? {}) });
      }
      socket.on("message", hear);
      function unheard(): void {
        finish({ acknowledged: false, answer: {} });
      }
      socket.once("close", unheard);
    });
    socket.send(JSON.stringify({ envelope_id: envelopeId, type, payload, accepts_response_payload: true, ...again }));
    if (how.dropsSocket !== true) return await seen;
    // Until it is gone and another one is there: the next press must not go to it, nor to nobody.
    const gone = once(socket, "close");
    setTimeout(() => socket.terminate(), 1);
    await gone;
    await eventually("the app to connect again", async () => sockets.size > 0);
    return await seen;
  }

  async function overHttp(type: Envelope, payload: Json, how: Delivery, retry: number): Promise<Seen> {
    const isJson = type === "events_api";
    const form: Record<string, string> =
      type === "interactive" ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>);
    const body = isJson ? JSON.stringify(payload) : new URLSearchParams(form).toString();
    const age = how.signature === "stale" ? 600 : 0;
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const secret = how.signature === "forged" ? "another secret" : signingSecret;
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
    try {
      const response = await fetch(`http://127.0.0.1:${options.eventsPort}/slack/events`, {
        method: "POST",
        body,
        signal: AbortSignal.timeout(longestMs(how)),
        headers: {
          "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
          "x-slack-request-timestamp": timestamp,
          "x-slack-signature": signature,
          ...(retry === 0 ? {} : { "x-slack-retry-num": String(retry), "x-slack-retry-reason": "http_timeout" }),
        },
      });
      const said = await response.text();
      const answered = said.startsWith("{") ? (JSON.parse(said) as Json) : said === "" ? {} : { text: said };
      return { acknowledged: response.ok, answer: answered };
    } catch {
      return { acknowledged: false, answer: {} };
    }
  }

  return deliver;
}
