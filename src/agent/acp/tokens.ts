import { z } from "zod";
import type { UsedTokens } from "../process/runner.ts";

/**
 * Where agents say how many tokens they used; the protocol has no fixed place for it. Each is read leniently: what has
 * another shape, or cannot be, says nothing.
 */
const count = z.int().nonnegative().max(1_000_000_000);

/** Beside one answer of a model (qwen-code: `_meta.usage` of a message), and beside the end of a turn (Claude, opencode: `usage`). */
const Usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedReadTokens: count.nullish(),
  cachedWriteTokens: count.nullish(),
  thoughtTokens: count.nullish(),
});

/** Beside the end of a turn, by model (gemini: `_meta.quota.model_usage`). */
const Quota = z.object({
  quota: z.object({
    model_usage: z
      .array(z.object({ model: z.string(), token_count: z.object({ input_tokens: count, output_tokens: count }) }))
      .max(100),
  }),
});

/** Of one answer of the model: what a message's `_meta` says. */
export function tokensOfMessage(meta: unknown, model: string | null): UsedTokens | null {
  const found = z.object({ usage: Usage }).safeParse(meta).data;
  return found === undefined ? null : usedOf(found.usage, model);
}

/** Of a whole turn: what the answer to a prompt says. */
export function tokensOfTurn(answer: unknown, model: string | null): readonly UsedTokens[] {
  const quota = z.object({ _meta: Quota }).safeParse(answer).data;
  if (quota !== undefined) {
    return quota._meta.quota.model_usage.map((each) => ({
      model: each.model,
      input: each.token_count.input_tokens,
      cached: 0,
      output: each.token_count.output_tokens,
    }));
  }
  const whole = z.object({ usage: Usage }).safeParse(answer).data;
  return whole === undefined ? [] : [usedOf(whole.usage, model)];
}

function usedOf(usage: z.infer<typeof Usage>, model: string | null): UsedTokens {
  return { model, input: usage.inputTokens, cached: usage.cachedReadTokens ?? 0, output: usage.outputTokens };
}

const Models = z.object({
  models: z.object({
    currentModelId: z.string(),
    availableModels: z.array(z.object({ modelId: z.string(), name: z.string().nullish() })).max(1000),
  }),
});

/** The model's name as a session that was opened says it; null: it does not say. */
export function modelOfSession(opened: unknown): string | null {
  const models = Models.safeParse(opened).data?.models;
  if (models === undefined) return null;
  const chosen = models.availableModels.find((each) => each.modelId === models.currentModelId);
  return chosen?.name ?? models.currentModelId;
}
