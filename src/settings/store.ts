import type { StoreSettings } from "../core/store-settings.ts";
import type { Reader } from "./reader.ts";

const expected =
  "postgres, or the address of a bucket: https://HOST/BUCKET, with ?region=… where the store has regions";

/** Reads where kept output is stored so that every machine can show it; null when it stays on the machine that made it. */
export function readStore(reader: Reader): StoreSettings | null {
  const given = reader.value("COS_STORE_URL");
  if (given === null) return null;
  if (given === "postgres") return { type: "postgres" };
  const wrong = (name: "COS_STORE_URL" | "COS_STORE_KEY" | "COS_STORE_SECRET", what: string): null => {
    reader.problem(name, what);
    return null;
  };
  if (!URL.canParse(given)) return wrong("COS_STORE_URL", expected);
  const { protocol, username, password, hash, origin, pathname, searchParams } = new URL(given);
  const [bucket, ...folders] = pathname.split("/").filter((part) => part !== "");
  if (username !== "" || password !== "")
    return wrong("COS_STORE_URL", `${expected}; keys go into COS_STORE_KEY and COS_STORE_SECRET`);
  const isAddress = (protocol === "https:" || protocol === "http:") && hash === "";
  if (!isAddress || bucket === undefined || [...searchParams.keys()].some((name) => name !== "region"))
    return wrong("COS_STORE_URL", expected);
  const key = reader.value("COS_STORE_KEY");
  const secret = reader.value("COS_STORE_SECRET");
  if (key === null) return wrong("COS_STORE_KEY", "the access key of the store that COS_STORE_URL names");
  if (secret === null) return wrong("COS_STORE_SECRET", "the secret key of the store that COS_STORE_URL names");
  const address = [origin, bucket, ...folders].join("/");
  return { type: "s3", address, region: searchParams.get("region") ?? "us-east-1", key, secret };
}
