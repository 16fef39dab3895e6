/** A model behind an OpenAI-compatible address. */
export interface ModelSettings {
  readonly name: string;
  /** Such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly key: string | null;
  /** USD for a million tokens, where a person knows better than the price table; null: the table. */
  readonly price: { readonly inputUsd: number; readonly outputUsd: number } | null;
}
