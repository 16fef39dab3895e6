/**
 * The database schema, one file for each family of tables. Money is in whole micro-dollars, times are timestamptz. Constraints express
 * what must never be wrong (D4, D9, D10, D22, D36). The rest is in the conditional writes beside each query.
 */
export { cos } from "./base.ts";
export * from "./agents.ts";
export * from "./batches.ts";
export * from "./campaigns.ts";
export * from "./checkpoints.ts";
export * from "./console.ts";
export * from "./critics.ts";
export * from "./goals.ts";
export * from "./memory.ts";
export * from "./merges.ts";
export * from "./messages.ts";
export * from "./money.ts";
export * from "./outputs.ts";
export * from "./pulls.ts";
export * from "./repositories.ts";
export * from "./schedules.ts";
export * from "./sessions.ts";
export * from "./timeline.ts";
export * from "./trials.ts";
export * from "./worklogs.ts";
