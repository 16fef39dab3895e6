import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";

/** The fields of a posted form by name; empty for what it has not got. `all`: of a name that was given several times, each. */
export type PostedForm = ((name: string) => string) & { readonly all: (name: string) => readonly string[] };

/** Throws HTTPException where what was sent is no form, or broke off. */
export async function readForm(context: Context): Promise<PostedForm> {
  const body = await context.req.parseBody({ all: true }).catch((cause: unknown) => {
    throw new HTTPException(400, { cause });
  });
  const all = (name: string): readonly string[] =>
    [body[name] ?? []].flat().filter((value) => typeof value === "string");
  return Object.assign((name: string): string => all(name).at(-1) ?? "", { all });
}
