import { z } from "zod";

/** The labels of an issue as forges give them: names, or objects with one. What is no label is none, and refuses nothing. */
export const labelsSchema = z
  .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).catch(""))
  .nullish()
  .catch(null);
