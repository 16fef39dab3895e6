import type { Context } from "hono";

/** The fields of a posted form by name; empty for what it has not got. */
export async function readForm(context: Context): Promise<(name: string) => string> {
  const body = await context.req.parseBody();
  return (name) => {
    const value = body[name];
    return typeof value === "string" ? value : "";
  };
}
