import { z } from "zod";
import type { ModelQuestion } from "../../core/prompts/question.ts";
import type { ModelSettings } from "./settings.ts";

/** Prices of model calls, from a person's setting, else from a maintained table. An unknown price is null, never 0. */

export interface Tokens {
  /** All input tokens, including cached ones. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Micro-dollars; null when the model's price is unknown. */
export type Price = (tokens: Tokens) => number | null;

/** Returns the price function of a model, with the table loaded. */
export async function priceOf(settings: Pick<ModelSettings, "name" | "url" | "price">): Promise<Price> {
  const own = settings.price;
  // USD per million tokens equals micro-dollars per token.
  if (own !== null) return (tokens) => Math.ceil(tokens.input * own.inputUsd + tokens.output * own.outputUsd);

  const { calcPrice } = await import("@pydantic/genai-prices");
  const { name, url } = settings;
  return ({ input, cached, output }) => {
    const usage = { input_tokens: input, cache_read_tokens: cached, output_tokens: output };
    for (const options of [{ providerApiUrl: url }, {}]) {
      const found = tryPrice(() => calcPrice(usage, name, options)?.total_price);
      if (found !== null) return Math.ceil(found * 1_000_000);
    }
    return null;
  };
}

/** The price function of a model with several names: the first name with a known price counts. */
export async function priceOfAny(names: readonly string[], own: ModelSettings["price"]): Promise<Price> {
  const given = own === null ? names : [""];
  const prices = await Promise.all(given.map((name) => priceOf({ name, url: "", price: own })));
  return (tokens) => {
    for (const price of prices) {
      const cost = price(tokens);
      if (cost !== null) return cost;
    }
    return null;
  };
}

/** The table throws for some unknown names. */
function tryPrice(look: () => number | undefined): number | null {
  try {
    return look() ?? null;
  } catch {
    return null;
  }
}

/**
 * Estimated maximum cost of a call: all tokens of the question, `furtherTokens` that a longer prompt may have, and the longest answer.
 */
export function worstCase(
  price: Price,
  question: Pick<ModelQuestion<unknown>, "system" | "prompt" | "schema" | "maxOutputTokens">,
  furtherTokens = 0,
): number | null {
  const { system, prompt, schema, maxOutputTokens } = question;
  const shape = JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const input = mostTokens(system + prompt + shape) + furtherTokens;
  return price({ input, cached: 0, output: maxOutputTokens });
}

/** Estimated maximum of tokens: one for three ASCII characters, and one for each byte of others, as in rare Chinese characters. */
export function mostTokens(text: string): number {
  const others = text.replace(/[\0-\x7f]+/g, "");
  return Math.ceil((text.length - others.length) / 3) + Buffer.byteLength(others);
}
