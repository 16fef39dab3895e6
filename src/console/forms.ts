import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";

/** Reads a field of a posted form by name; empty when the form does not contain it. `all` returns every value of a repeated name. */
export type PostedForm = ((name: string) => string) & { readonly all: (name: string) => readonly string[] };

/** Reads a posted form. Throws HTTPException when the body is not a form, or is incomplete. */
export async function readForm(context: Context): Promise<PostedForm> {
  const body = await context.req.parseBody({ all: true }).catch((cause: unknown) => {
    throw new HTTPException(400, { cause });
  });
  const all = (name: string): readonly string[] =>
    [body[name] ?? []].flat().filter((value) => typeof value === "string");
  return Object.assign((name: string): string => all(name).at(-1) ?? "", { all });
}
