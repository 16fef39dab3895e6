import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import type { Deps } from "../deps.ts";
import { contentType } from "../core/metrics/exposition.ts";
import { metricsText } from "./metrics.ts";
import { allowedHosts, type ConsoleEnv, hostGuard, safeHeaders } from "./security.ts";

/** Health and metrics, which need no token: beside the pages, or alone in a process that only works goals. */

/** The system's health in words: "ok", the queue's engine, "connected", or what is wrong. */
export interface Health {
  readonly db: string;
  readonly isDatabaseAway: boolean;
  readonly queue: string;
  /** "ok", or which disk is nearly full. */
  readonly space: string;
  /** Empty when this process serves no platform. */
  readonly platforms: Readonly<Record<string, string>>;
  /** How often each platform was lost in the last hour; absent when none was, or none is served. */
  readonly lostInLastHour?: Readonly<Record<string, number>>;
}

/** Adds `/healthz`, which answers 503 while the database is away and 200 otherwise, and `/metrics`. */
export function addHealth(app: Hono<ConsoleEnv>, deps: Deps, ask: () => Promise<Health>): void {
  app.get("/healthz", async (context) => {
    const health = await ask();
    const isWell =
      health.db === "ok" &&
      ["postgres", "redis"].includes(health.queue) &&
      health.space === "ok" &&
      Object.values(health.platforms).every((status) => status === "connected");
    const { db, queue, space, platforms, lostInLastHour } = health;
    return context.json(
      { status: isWell ? "ok" : "degraded", db, queue, space, platforms, lostInLastHour },
      health.isDatabaseAway ? 503 : 200,
    );
  });
  app.get("/metrics", async (context) => context.body(await metricsText(deps), 200, { "content-type": contentType }));
}

export type HealthServer =
  | { readonly type: "serving"; readonly port: number; stop(): Promise<void> }
  /** Health is not served; the worker works without it. `reason`: the system's error message. */
  | { readonly type: "not-served"; readonly reason: string };

/** Serves health alone, on COS_HOST and `port`, for a process without a console. */
export async function startHealth(deps: Deps, port: number, ask: () => Promise<Health>): Promise<HealthServer> {
  const { host: hostname } = deps.config;
  const app: Hono<ConsoleEnv> = new Hono();
  app.use(safeHeaders());
  app.use(hostGuard({ hosts: allowedHosts(deps.config) }));
  addHealth(app, deps, ask);
  return await new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname, port }, () =>
      // A server that listens on a port has an AddressInfo.
      resolve({ type: "serving", port: (server.address() as AddressInfo).port, stop: () => stopped(server) }),
    );
    server.once("error", (error) => resolve({ type: "not-served", reason: error.message }));
  });
}

async function stopped(server: ServerType): Promise<void> {
  if ("closeAllConnections" in server) server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
