import { z } from "zod";

/** The labels of an issue: names, or objects with a name. Anything else becomes an empty text and is not an error. */
export const labelsSchema = z
  .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).catch(""))
  .nullish()
  .catch(null);
