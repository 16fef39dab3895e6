import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { messagesChangedSince, newestChange } from "../db/messages.ts";
import type { Deps } from "../deps.ts";
import { drawnOf } from "./channel-page.ts";
import { drawCard, type DrawContext } from "./draw.ts";

const heartbeatMs = 15_000;

/**
 * A change may commit a little after a later-numbered one, so a page that comes back is sent some it has seen already;
 * it never replaces a picture by an older one.
 */
const overlap = 200;

/** A page that was away for long is sent so many at once. */
const atOnce = 500;

const ours = { platform: "console", channel: "main" };

/** For whom cards are drawn, and for how long. */
interface CardWatcher {
  readonly drawing: DrawContext;
  /** Whether whoever opened it is still let in: looked at before anything more is told. */
  isOpen(): Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** The live channel: every changed card as HTML, numbered so that a page which reconnects misses nothing (Last-Event-ID). */
export function events(
  deps: Deps,
  { drawing, isOpen, stopping }: CardWatcher,
  context: Context,
): Response | Promise<Response> {
  const asked = Number(context.req.header("last-event-id") ?? context.req.query("since") ?? "0");
  // A proxy that collects answers would keep these back.
  context.header("x-accel-buffering", "no");
  return streamSSE(context, async (stream) => {
    let since = 0;
    let wake: () => void = () => undefined;
    let isRung = true;
    const unsubscribe = deps.signals.on((signal) => {
      if (signal.type !== "messages") return;
      isRung = true;
      wake();
    });
    const stop = () => {
      void stream.close();
      wake();
    };
    stopping.addEventListener("abort", stop, { once: true });
    stream.onAbort(() => wake());
    try {
      since = await beginning(deps, asked);
      await stream.writeSSE({ event: "hello", data: "" });
      while (!stream.aborted && !stopping.aborted && (await isOpen())) {
        if (isRung) {
          isRung = false;
          const changed = await messagesChangedSince(deps.database.db, ours, since, atOnce);
          if (changed.length === atOnce) isRung = true;
          for (const message of changed) {
            const data = String(await drawCard(drawnOf(message), drawing));
            await stream.writeSSE({
              event: "card",
              id: String(message.changed),
              data: JSON.stringify({ element: message.subject, thread: message.threadSubject, html: data }),
            });
            since = message.changed;
          }
        }
        const woken = await waitFor(
          heartbeatMs,
          (resolve) => {
            wake = resolve;
          },
          () => isRung || stream.aborted || stopping.aborted,
        );
        if (!woken) {
          await stream.writeSSE({ event: "heartbeat", data: "" });
          // What was told may have been lost: it looks by itself.
          isRung = true;
        }
      }
    } catch (error) {
      // The stream ends, and the page comes back by itself.
      deps.log.warn("console.events-failed", { error });
    } finally {
      unsubscribe();
      stopping.removeEventListener("abort", stop);
    }
  });
}

/**
 * The number behind which a page is told of changes. One that asks for more than there is, as a page without cards of its own
 * does, is told from now on: what it has seen already would only make it load again.
 */
async function beginning({ database }: Pick<Deps, "database">, asked: number): Promise<number> {
  if (!Number.isSafeInteger(asked) || asked <= 0) return 0;
  const newest = await newestChange(database.db, ours);
  return asked > newest ? newest : Math.max(0, asked - overlap);
}

/** True when woken before the time was over. */
async function waitFor(ms: number, take: (resolve: () => void) => void, already: () => boolean): Promise<boolean> {
  if (already()) return true;
  return await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    take(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
