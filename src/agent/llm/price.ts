import type { ModelSettings } from "./settings.ts";

/** What calls of a model cost. Prices come from a person's setting, else from a maintained table; unknown is null, never 0. */

export interface Tokens {
  /** All of them, those that the provider had cached included. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Micro-dollars; null when nobody knows the model's price. */
export type Price = (tokens: Tokens) => number | null;

/** The price of a model, with the table loaded. */
export async function priceOf(settings: Pick<ModelSettings, "name" | "url" | "price">): Promise<Price> {
  const own = settings.price;
  // USD for a million tokens is micro-dollars for one.
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

/** The price of a model that goes by several names: by the first that is known. */
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

/** The table throws for some names it does not know. */
function tryPrice(look: () => number | undefined): number | null {
  try {
    return look() ?? null;
  } catch {
    return null;
  }
}

/** The most that a call can cost: every character as a third of a token, and the longest answer. */
export function worstCase(price: Price, characters: number, maxOutputTokens: number): number | null {
  return price({ input: Math.ceil(characters / 3), cached: 0, output: maxOutputTokens });
}
