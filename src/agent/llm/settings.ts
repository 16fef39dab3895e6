/** Settings of a model with an OpenAI-compatible address. */
export interface ModelSettings {
  readonly name: string;
  /** For example `https://api.openai.com/v1`. */
  readonly url: string;
  readonly key: string | null;
  /** USD per million tokens, if a person set it; null for the price table. */
  readonly price: { readonly inputUsd: number; readonly outputUsd: number } | null;
}
