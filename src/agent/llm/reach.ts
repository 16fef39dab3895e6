import { errorWords } from "../../core/errors.ts";
import type { ModelSettings } from "./settings.ts";

export type Reached =
  | { readonly type: "answers" }
  /** The key is wrong or missing. */
  | { readonly type: "refused"; readonly status: number }
  | { readonly type: "silent"; readonly reason: string };

/**
 * Asks a model's address for its list of models, which costs nothing, to see whether it answers. Few providers have no list; any answer
 * counts.
 */
export async function answerOfModels({ url, key }: Pick<ModelSettings, "url" | "key">): Promise<Reached> {
  const address = `${url.replace(/\/$/, "")}/models`;
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  try {
    const { status, body } = await fetch(address, { headers, signal: AbortSignal.timeout(longestMs) });
    await body?.cancel();
    return status === 401 || status === 403 ? { type: "refused", status } : { type: "answers" };
  } catch (error) {
    return {
      type: "silent",
      reason: errorWords(error instanceof Error && error.cause !== undefined ? error.cause : error),
    };
  }
}

const longestMs = 10_000;
