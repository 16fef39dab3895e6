import type { z } from "zod";
import type { ForgeAnswer } from "../../core/forges/forge.ts";
import { type ForgeContext, causeWords, failedAnswer, longestAnswerMs, readAnswer } from "./answer.ts";

/** Requests to a forge by plain fetch, for providers without a client library. */

/** Maximum size in bytes, more than any answer that we need: lists come in pages. */
const longestAnswer = 5_000_000;

export interface ForgeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** Path below the site's address, with encoded parts: `/api/v4/user`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export type AskForge = <Value>(question: ForgeRequest, shape: z.ZodType<Value>) => Promise<ForgeAnswer<Value>>;

/** Returns a function that sends requests. Only GET requests follow a redirect. */
export function openForgeRest(context: ForgeContext, authorization: string): AskForge {
  return async (question, shape) => {
    const { method, path, query = {}, body } = question;
    const search = new URLSearchParams(query).toString();
    const address = `${context.site.url}${path}${search === "" ? "" : `?${search}`}`;
    const known = method === "GET" ? context.known.get(address) : null;
    try {
      const response = await fetch(address, {
        method,
        headers: {
          accept: "application/json",
          authorization,
          "user-agent": "chief-of-staff",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(known === null ? {} : { "if-none-match": known.etag }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: method === "GET" ? "follow" : "manual",
        signal: AbortSignal.timeout(longestAnswerMs),
      });
      const text = await boundedText(response);
      if (response.status === 304 && known !== null) return readAnswer(context, shape, known.body);
      const said = jsonIn(text);
      if (!response.ok)
        return failedAnswer(context, {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          message: messageIn(said) || response.statusText || `status ${response.status}`,
        });
      if (method === "GET") context.known.keep(address, response.headers.get("etag") ?? undefined, said);
      return readAnswer(context, shape, said);
    } catch (error) {
      return failedAnswer(context, { status: null, headers: {}, message: causeWords(error) });
    }
  };
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > longestAnswer) throw new Error("an answer that is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The error text: GitLab sends `message` as a text, a list or an object, or `error`; Gitea sends `message` as a text. */
function messageIn(said: unknown): string {
  if (typeof said !== "object" || said === null) return "";
  const { message, error } = said as { readonly message?: unknown; readonly error?: unknown };
  const told = message ?? error ?? "";
  return typeof told === "string" ? told : JSON.stringify(told);
}
