import type { z } from "zod";

/** What a model is asked: its words, the shape of its answer, and the version under which both are recorded. */
export interface ModelQuestion<Value> {
  readonly use: "alternative" | "reply" | "plan" | "reflection" | "critic";
  /** Changes with every change of the words or of the shape. */
  readonly version: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens: number;
}
