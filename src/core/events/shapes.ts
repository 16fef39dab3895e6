import { z } from "zod";

/** Shapes of details. Amounts are micro-dollars, times ISO 8601, durations milliseconds, commits full hashes. */
export const [text, number, flag] = [z.string(), z.number(), z.boolean()];

export const texts = z.array(text).readonly();

export const orNull = <Shape extends z.ZodType>(shape: Shape) => shape.nullable();

export const noDetails = z.object({});

export const ceiling = z.enum(["goal", "night", "session", "campaign", "day"]);
