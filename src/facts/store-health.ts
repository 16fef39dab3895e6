import { randomUUID } from "node:crypto";
import type { Deps } from "../deps.ts";
import { StoreError } from "../core/store-error.ts";

/** Tests whether the store can write, read and delete. Returns its error message. Null when it can, or when there is no store. */
export async function storeTrouble({ store }: Pick<Deps, "store">): Promise<string | null> {
  const file = `doctor/${randomUUID()}`;
  const content = Buffer.from(file);
  try {
    await store?.put(file, content);
    const read = await store?.get(file);
    await store?.remove(file);
    if (store === null || read?.equals(content) === true) return null;
    return `${store.name} ${read === null ? "does not return" : "returns something else than"} what was stored in it`;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
