import { setTimeout as sleep } from "node:timers/promises";
import type { Channel, Platform } from "../chat/platform.ts";
import { serveChannels } from "../db/channels.ts";
import { openOwnership } from "../db/connection/ownership.ts";
import { deliverChannel, type AwaitPace, type ChannelPlace } from "./channel.ts";
import { newPlatformState } from "./put-off.ts";
import type { Deps } from "../deps.ts";

/**
 * The one loop that posts and edits (D17): it makes every channel show what its rows want, in order, at most once.
 *
 *   wanted ──commit posting_since──► post ──record address──► shown ──version rises──► edit ──► shown
 *               │ died here, or the answer was lost               └─deleted by somebody─► wanted
 *               └► look for our key in the channel first ──found──► record, then edit
 *
 * A channel that must wait (limits, an outage) waits as a whole, so that its order is kept; others go on. One message
 * that is put off, a picture for example, holds only what comes after it in its thread.
 */
export interface Delivery {
  /** Looks now; returns when this pass has done what could be done. Calls during a pass cause one more. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

type DeliveryDeps = Pick<
  Deps,
  "database" | "channels" | "config" | "policy" | "log" | "now" | "timers" | "signals" | "tracing"
>;

/** The channels of the settings are served from now on, then posted to; cards in those that were left say where they go on. */
export async function openDelivery(
  deps: DeliveryDeps,
  platforms: readonly Platform[],
  lockUrl: string,
): Promise<Delivery> {
  const left = await deps.database.transaction((tx) => serveChannels(tx, deps.channels, deps.now()));
  return startDelivery(deps, platforms, lockUrl, left);
}

/**
 * `lockUrl` is the database on which channel ownership is locked: one owner per channel over all bots. `left`: channels that
 * settings name no more (`serveChannels`).
 */
export function startDelivery(
  deps: DeliveryDeps,
  platforms: readonly Platform[],
  lockUrl: string,
  left: readonly Channel[] = [],
): Delivery {
  const owner = openOwnership(lockUrl, (error) => deps.log.warn("delivery.no-owner", { error }));
  const loops = [...deps.channels, ...left].flatMap((channel) => {
    const platform = platforms.find((each) => each.name === channel.platform);
    if (platform === undefined) return [];
    const owns = () => owner.owns(`delivery ${channel.platform} ${channel.channel}`);
    const leftHere = left.filter((each) => each.platform === channel.platform);
    return [startChannel(deps, { platform, channel, left: leftHere }, owns)];
  });

  async function deliver(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.deliver()));
  }

  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "messages") for (const loop of loops) loop.hear();
  });
  const timer = setInterval(() => void deliver(), deps.policy.delivery.fallbackMs);

  return {
    deliver,
    async stop() {
      clearInterval(timer);
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      await owner.release();
    },
  };
}

/** One channel's loop; `hear`: some channel's messages have changed. */
type Loop = Delivery & { hear(): void };

/** One channel's own loop, at its own pace. */
function startChannel(
  deps: DeliveryDeps,
  { platform, channel, left }: Pick<ChannelPlace, "platform" | "channel" | "left">,
  owns: () => Promise<boolean>,
): Loop {
  const stopping = new AbortController();
  const pace = openPace(deps, platform.everyMs, stopping.signal);
  const place: ChannelPlace = {
    platform,
    channel,
    left,
    // What takes its time may have become another process's channel meanwhile.
    pace: async () => {
      const due = await pace();
      return due === "stopped" || (await owns()) ? due : "stopped";
    },
    state: newPlatformState(),
  };
  let running: Promise<void> | null = null;
  let again = false;
  let cancelLook = (): void => undefined;

  async function passes(): Promise<void> {
    do {
      again = false;
      if (!(await owns())) return;
      const waitMs = await deliverChannel(deps, place).catch((error: unknown) => {
        deps.log.error("delivery.failed", { ...channel, error });
        return null;
      });
      if (waitMs !== null) lookAgainIn(waitMs);
    } while (again && !stopping.signal.aborted);
  }

  function lookAgainIn(ms: number): void {
    cancelLook();
    cancelLook = deps.timers.after(ms, () => void deliver());
  }

  function deliver(): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    again = true;
    running ??= passes().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    deliver,
    hear() {
      // What shows rows shows them as they are stored: only what another version left is looked for, from time to time.
      if (!platform.isIdempotent) void deliver();
    },
    async stop() {
      stopping.abort();
      cancelLook();
      // A platform that does not answer is not waited for: what it was given is looked for at the next start.
      await Promise.race([running, sleep(longestStopMs, undefined, { ref: false })]);
    },
  };
}

const longestStopMs = 3_000;

/** At most one call every `everyMs`, also when the clock is set back. */
function openPace({ now, timers }: Pick<Deps, "now" | "timers">, everyMs: number, stopping: AbortSignal): AwaitPace {
  let nextAt = 0;
  return async () => {
    const waitMs = Math.min(nextAt - now().getTime(), everyMs);
    if (waitMs > 0 && !stopping.aborted)
      await new Promise<void>((settle) => {
        const end = () => {
          stopping.removeEventListener("abort", end);
          cancel();
          settle();
        };
        const cancel = timers.after(waitMs, end);
        stopping.addEventListener("abort", end);
      });
    nextAt = now().getTime() + everyMs;
    if (stopping.aborted) return "stopped";
    return waitMs > 0 ? "waited" : "due";
  };
}
