import type { StoreRest } from "../core/store-rest.ts";

/**
 * A place that every machine reaches. Contents are named as their files are called under the data directory, and are written
 * once: to put one again changes nothing.
 */
export interface Store {
  /** As people know it. */
  readonly name: string;
  /** Since it did not answer this process: whoever puts something there looks at it first, and writes what came of it. */
  rest: StoreRest;
  /** Rejects with StoreError where it is not taken. */
  put(file: string, content: Buffer): Promise<void>;
  /** Null: it is not there. Rejects with StoreError where that cannot be known. */
  get(file: string): Promise<Buffer | null>;
  /** Also where it is not there. Rejects with StoreError. */
  remove(file: string): Promise<void>;
}
