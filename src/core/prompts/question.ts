import type { z } from "zod";

/** A question to a model: its words, the schema of its answer, and the version under which both are recorded. */
export interface ModelQuestion<Value> {
  readonly use: "alternative" | "reply" | "plan" | "reflection" | "critic";
  /** Changes whenever the words or the schema change. */
  readonly version: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens: number;
}
