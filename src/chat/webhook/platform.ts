import { z } from "zod";
import { isoSentence } from "../../core/cards/times-in.ts";
import type { FindOutcome, NotNow, Platform, Post, PostOutcome } from "../platform.ts";

/**
 * Cards as JSON for any HTTP server. `POST {url}/messages` answers `{"address"}`, `PUT {url}/messages/ADDRESS` replaces a message, `GET
 * {url}/messages?channel=…&key=…` finds a post whose answer was lost (404: none). A 429 with Retry-After is honoured, other 4xx are
 * rejections, and everything else is retried.
 */
export function webhookPlatform(url: string): Platform {
  let status = "connected";
  const root = url.replace(/\/$/, "");

  async function call(method: string, path: string, body: object | null): Promise<Response | Error> {
    try {
      const response = await fetch(`${root}${path}`, {
        method,
        signal: AbortSignal.timeout(10_000),
        ...(body === null ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      status = response.status < 500 ? "connected" : `answers ${response.status}`;
      return response;
    } catch (error) {
      status = "unreachable";
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function send(method: string, path: string, post: Post, known: string | null): Promise<PostOutcome> {
    const summary = isoSentence(post.card.summary);
    const response = await call(method, path, { ...post, card: { ...post.card, summary } });
    if (response instanceof Error) return lost(response.message, "unreachable");
    if (!response.ok) return troubleOf(response);
    const address = known ?? (await addressIn(response));
    if (address === null) return lost("the answer holds no address");
    return { type: "shown", address };
  }

  return {
    name: "webhook",
    isIdempotent: false,
    everyMs: 0,
    picturesAppearWithinMs: 0,
    locate: async () => undefined,
    post: (post) => send("POST", "/messages", post, null),
    update: (address, post) => send("PUT", `/messages/${encodeURIComponent(address)}`, post, address),
    async find({ channel, key }): Promise<FindOutcome> {
      const response = await call("GET", `/messages?${new URLSearchParams({ channel, key }).toString()}`, null);
      if (response instanceof Error) return lost(response.message, "unreachable");
      if (response.status === 404) return { type: "absent" };
      const address = response.ok ? await addressIn(response) : null;
      if (address === null) return lost(`answered ${response.status}`);
      return { type: "found", address, isPicture: false };
    },
    // A webhook has no status of its own, so no message is given up because of it.
    isWell: async () => false,
    status: () => status,
    stop: async () => undefined,
  };
}

/** The answer was lost, so it is unknown whether the message is shown. */
function lost(reason: string, why: "unreachable" | "failed" = "failed"): NotNow {
  return { type: "retry", why, afterMs: 1000, reason, mayBeShown: true };
}

function troubleOf(response: Response): PostOutcome {
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after") ?? "1");
    const afterMs = (Number.isFinite(seconds) ? seconds : 1) * 1000;
    return { type: "retry", why: "limit", afterMs, reason: "rate limited", mayBeShown: false };
  }
  if (response.status >= 400 && response.status < 500)
    return { type: "rejected", reason: `answered ${response.status}` };
  return lost(`answered ${response.status}`);
}

const answerSchema = z.object({ address: z.string().min(1).max(500) });

async function addressIn(response: Response): Promise<string | null> {
  const parsed = answerSchema.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.address : null;
}
