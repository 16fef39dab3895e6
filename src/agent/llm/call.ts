import { z } from "zod";
import type { ModelQuestion } from "../../core/prompts/question.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import type { Tokens } from "./price.ts";
import type { ModelSettings } from "./settings.ts";

/**
 * The result of one call of a model. `tokens` is null when the provider did not report them; `isFree` is true when it has certainly
 * generated nothing then.
 */
export type Called = { readonly tokens: Tokens | null; readonly isFree: boolean } & (
  | { readonly type: "answered"; readonly text: string; readonly isTruncated: boolean }
  /** The same call may succeed later. `afterMs` is set when the provider says when. */
  | {
      readonly type: "later";
      readonly reason: "limited" | "unreachable";
      readonly afterMs: number | null;
      readonly words: string;
    }
  | { readonly type: "refused" | "rejected" | "timeout"; readonly words: string }
);

const refusedBody = z.object({ choices: z.array(z.object({ message: z.object({ refusal: z.string() }) })).min(1) });

/** Calls the model once, with the wanted shape as a JSON schema. The SDK's own retries are off, because ours are counted. */
export async function callModel(
  settings: ModelSettings,
  question: Pick<ModelQuestion<unknown>, "system" | "prompt" | "schema" | "maxOutputTokens">,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Called> {
  // Loaded on first use, so that terminal commands start without it.
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { APICallError, generateText, NoObjectGeneratedError, Output } = await import("ai");
  let body = "";
  let hasBegun = false;
  const provider = createOpenAICompatible({
    name: "model",
    baseURL: settings.url,
    supportsStructuredOutputs: true,
    ...(settings.key === null ? {} : { apiKey: settings.key }),
    // Keeps the whole response: a refusal has its own field, which the SDK does not return.
    async fetch(input, init) {
      const response = await fetch(input, init);
      hasBegun = response.ok;
      body = await response.clone().text();
      return response;
    },
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const result = await generateText({
      model: provider.chatModel(settings.name),
      system: question.system,
      prompt: question.prompt,
      maxOutputTokens: question.maxOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout]),
      output: Output.object({ schema: question.schema }),
    });
    return answered(result.text, result.finishReason, tokensOf(result.usage), body);
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error))
      return answered(error.text ?? "", error.finishReason ?? "unknown", tokensOf(error.usage), body);
    const isFree = !hasBegun && !isLostConnection(error);
    if (APICallError.isInstance(error)) return { ...fromHttp(error, settings), isFree };
    if (timeout.aborted || signal.aborted)
      return { type: "timeout", words: `no answer within ${timeoutMs / 1000} s`, tokens: null, isFree: false };
    const words = error instanceof Error ? error.message : String(error);
    return { type: "later", reason: "unreachable", afterMs: null, words, tokens: null, isFree };
  }
}

function answered(text: string, finishReason: string, tokens: Tokens | null, body: string): Called {
  const refusal = refusalIn(body);
  if (finishReason === "content-filter" || refusal !== null)
    return { type: "refused", words: refusal ?? "the provider's filter held the answer back", tokens, isFree: false };
  return { type: "answered", text, isTruncated: finishReason === "length", tokens, isFree: false };
}

/** Codes of connections that broke after they were open: the provider may have read the question. */
const lostConnections = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && lostConnections.has(error.code)) return true;
  return isLostConnection(error.cause);
}

function refusalIn(body: string): string | null {
  const parsed = refusedBody.safeParse(jsonOrNull(body));
  return parsed.success ? (parsed.data.choices[0]?.message.refusal ?? null) : null;
}

interface HttpError {
  readonly statusCode?: number | undefined;
  readonly responseHeaders?: Record<string, string> | undefined;
  readonly message: string;
}

function fromHttp(error: HttpError, settings: ModelSettings) {
  const status = error.statusCode ?? 0;
  const words = `${settings.name}: ${status === 0 ? "" : `${status} `}${error.message}`;
  const later = { type: "later", afterMs: retryAfterMs(error.responseHeaders), words, tokens: null } as const;
  if (status === 429) {
    return { ...later, reason: "limited" } as const;
  }
  if (status === 0 || status === 408 || status >= 500) {
    return { ...later, reason: "unreachable" } as const;
  }
  return { type: "rejected", words, tokens: null } as const;
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterMs(headers: Record<string, string> | undefined): number | null {
  const ms = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers?.["retry-after"] ?? "";
  if (after === "") return null;
  const seconds = Number(after);
  if (!Number.isNaN(seconds)) return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

function tokensOf(
  usage:
    | {
        readonly inputTokens: number | undefined;
        readonly outputTokens: number | undefined;
        readonly cachedInputTokens?: number | undefined;
      }
    | undefined,
): Tokens | null {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return null;
  return { input: usage.inputTokens, cached: usage.cachedInputTokens ?? 0, output: usage.outputTokens };
}
