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
 * A channel that must wait (limits, an outage) waits as a whole, so that its order is kept. Other channels continue. One message that
 * is put off, for example a picture, blocks only later messages of its thread.
 */
export interface Delivery {
  /** Looks now, and resolves when this pass has done what can be done. Calls during a pass cause one more pass. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

type DeliveryDeps = Pick<
  Deps,
  "database" | "channels" | "config" | "policy" | "log" | "now" | "timers" | "signals" | "tracing"
>;

/** Registers the channels of the settings as served, then delivers to them. Cards in left channels say where they continue. */
export async function openDelivery(
  deps: DeliveryDeps,
  platforms: readonly Platform[],
  lockUrl: string,
): Promise<Delivery> {
  const left = await deps.database.transaction((tx) => serveChannels(tx, deps.channels, deps.now()));
  return startDelivery(deps, platforms, lockUrl, left);
}

/**
 * `lockUrl` is the database in which channel ownership is locked: one owner for a channel over all bots. `left`: channels that settings
 * do not name any more (`serveChannels`).
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

/** The loop of one channel. `hear`: messages of some channel have changed. */
type Loop = Delivery & { hear(): void };

/** Starts the loop of one channel, with a pace of its own. */
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
    // During the wait another process may have become the owner of the channel.
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
      // A page that reads the rows shows them as soon as they are stored. Only what another version left is looked for, from time to
      // time.
      if (!platform.isIdempotent) void deliver();
    },
    async stop() {
      stopping.abort();
      cancelLook();
      // Does not wait for a platform that does not respond: a message in transit is looked for at the next start.
      await Promise.race([running, sleep(longestStopMs, undefined, { ref: false })]);
    },
  };
}

const longestStopMs = 3_000;

/** Allows at most one call every `everyMs`. Never waits longer than that, also when the clock is set back. */
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
