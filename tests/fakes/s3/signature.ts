import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A request as it came: header names in lower case. */
export interface Signed {
  readonly method: string;
  /** As it was sent: path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const hex = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/**
 * Whether a request is signed by that secret, as signature version 4 of S3 is documented: written for the tests alone, so that
 * what signs and what checks do not share a mistake.
 */
export function isSigned({ method, target, headers }: Signed, secret: string): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers["authorization"] ?? "",
    );
  if (found === null) return false;
  const [, date = "", region = "", names = "", signature = ""] = found;
  if (!names.split(";").includes("host")) return false;
  const [path = "", query = ""] = target.split("?");
  const request = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...names.split(";").map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`),
    "",
    names,
    headers["x-amz-content-sha256"] ?? "",
  ].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"] ?? "", scope, hex(request)].join("\n");
  const key = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${secret}`, date), region));
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, "hex"));
}
