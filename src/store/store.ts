import type { StoreRest } from "../core/store-rest.ts";

/** A place that every machine can reach. A content has the name of its file under the data directory. To put it again replaces it. */
export interface Store {
  /** Its name for people. */
  readonly name: string;
  /**
   * How long it is left alone after it failed to respond to this process. A caller that puts a content checks this first, and records
   * the outcome.
   */
  rest: StoreRest;
  /** Rejects with StoreError when the content is not stored. */
  put(file: string, content: Buffer): Promise<void>;
  /** Null when it is not there. Rejects with StoreError when that cannot be determined. */
  get(file: string): Promise<Buffer | null>;
  /** Does nothing when it is not there. Rejects with StoreError. */
  remove(file: string): Promise<void>;
}
