import { randomUUID } from "node:crypto";
import type { Deps } from "../deps.ts";
import { StoreError } from "../core/store-error.ts";

/** Whether the store takes, gives and removes; null: it does, or none is set. */
export async function storeTrouble({ store }: Pick<Deps, "store">): Promise<string | null> {
  const file = `doctor/${randomUUID()}`;
  try {
    await store?.put(file, Buffer.from(file));
    await store?.get(file);
    await store?.remove(file);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
