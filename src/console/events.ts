import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { messagesChangedSince, newestChange } from "../db/messages.ts";
import type { Deps } from "../deps.ts";
import { drawnOf } from "./channel-page.ts";
import { drawCard, type DrawContext } from "./draw.ts";

const heartbeatMs = 15_000;

/**
 * A change may be committed a little after one with a higher number. So a page that reconnects gets some changes again; it never replaces
 * a card by an older version.
 */
const overlap = 200;

/** Maximum number of changes that are read at once, for a page that was away for long. */
const atOnce = 500;

const ours = { platform: "console", channel: "main" };

/** How cards are drawn for a page, and how long it is served. */
interface CardWatcher {
  readonly drawing: DrawContext;
  /** True while the person is still let in; checked before anything more is sent. */
  isOpen(): Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** Serves the live channel: every changed card as HTML, numbered so that a page that reconnects misses nothing (Last-Event-ID). */
export function events(
  deps: Deps,
  { drawing, isOpen, stopping }: CardWatcher,
  context: Context,
): Response | Promise<Response> {
  const asked = Number(context.req.header("last-event-id") ?? context.req.query("since") ?? "0");
  // Keeps a proxy from buffering the events.
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
          // The signal may have been lost, so the next pass reads the changes.
          isRung = true;
        }
      }
    } catch (error) {
      // The stream ends, and the page reconnects by itself.
      deps.log.warn("console.events-failed", { error });
    } finally {
      unsubscribe();
      stopping.removeEventListener("abort", stop);
    }
  });
}

/**
 * Returns the number after which changes are sent. A page that names a larger number than exists, such as one without cards of its own,
 * gets only new changes: older ones would only make it reload.
 */
async function beginning({ database }: Pick<Deps, "database">, asked: number): Promise<number> {
  if (!Number.isSafeInteger(asked) || asked <= 0) return 0;
  const newest = await newestChange(database.db, ours);
  return asked > newest ? newest : Math.max(0, asked - overlap);
}

/** Waits. True when woken before the timeout. */
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
