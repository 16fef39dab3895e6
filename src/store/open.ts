import { noRest } from "../core/store-rest.ts";
import type { StoreSettings } from "../core/store-settings.ts";
import { openBucket } from "./s3.ts";
import type { Store } from "./store.ts";

/** Opens the store of the settings. `rows` holds the contents when the store is the database itself. Null when no store is set. */
export function openStore(settings: StoreSettings | null, rows: Pick<Store, "put" | "get">): Store | null {
  switch (settings?.type) {
    case undefined:
      return null;
    case "s3":
      return openBucket(settings);
    case "postgres":
      // The content is deleted with its row.
      return { name: "PostgreSQL", rest: noRest, ...rows, remove: async () => undefined };
  }
}
