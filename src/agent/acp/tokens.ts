import { z } from "zod";
import type { UsedTokens } from "../process/runner.ts";

/**
 * Reads how many tokens an agent used. The protocol has no fixed place for it. Each place is read leniently: a value of another shape,
 * or an impossible one, is ignored.
 */
const count = z.int().nonnegative().max(1_000_000_000);

/**
 * With one answer of a model (qwen-code: `_meta.usage` of a message), and with the end of a turn (Claude, opencode, Codex: `usage`). In
 * its usage by model, Codex calls cached tokens `cachedInputTokens`.
 */
const Usage = z.object({
  inputTokens: count,
  outputTokens: count,
  totalTokens: count.nullish(),
  cachedReadTokens: count.nullish(),
  cachedInputTokens: count.nullish(),
  cachedWriteTokens: count.nullish(),
  thoughtTokens: count.nullish(),
});

const Snaked = z
  .object({ input_tokens: count, output_tokens: count })
  .transform((each) => ({ inputTokens: each.input_tokens, outputTokens: each.output_tokens }));

/** Usage by model, with the end of a turn (`_meta.quota.model_usage` of gemini and Codex). */
const Quota = z.object({
  quota: z.object({
    model_usage: z.array(z.object({ model: z.string(), token_count: z.union([Usage, Snaked]) })).max(100),
  }),
});

/** Token usage of one answer, from a message's `_meta`; null when it has none. `models` are the names of the session's model. */
export function tokensOfMessage(meta: unknown, models: readonly string[]): UsedTokens | null {
  const found = z.object({ usage: Usage }).safeParse(meta).data;
  return found === undefined ? null : { models, ...usedOf(found.usage) };
}

/** Token usage of a whole turn, from the answer to a prompt. */
export function tokensOfTurn(answer: unknown, models: readonly string[]): readonly UsedTokens[] {
  const byModel = z.object({ _meta: Quota }).safeParse(answer).data?._meta.quota.model_usage ?? [];
  if (byModel.length > 0) {
    const ofSession = byModel.length === 1 ? models : [];
    return byModel.map((each) => ({
      models: [...new Set([...namesOf(each.model), ...ofSession])],
      ...usedOf(each.token_count),
    }));
  }
  const whole = z.object({ usage: Usage }).safeParse(answer).data;
  return whole === undefined ? [] : [{ models, ...usedOf(whole.usage) }];
}

/**
 * Some agents include cached tokens in the input (qwen-code, as OpenAI's interface does), others count them separately (Codex, as the
 * protocol says). The total tells which, and so does a cached count that exceeds the input.
 */
function usedOf(usage: z.input<typeof Usage>): Omit<UsedTokens, "models"> {
  const { inputTokens: input, outputTokens: output, totalTokens: total } = usage;
  const read = usage.cachedReadTokens ?? usage.cachedInputTokens ?? 0;
  const beside = read + (usage.cachedWriteTokens ?? 0);
  const withThem = [input + output, input + output + (usage.thoughtTokens ?? 0)];
  const isBeside = beside > input || (total != null && !withThem.includes(total) && total >= input + beside + output);
  return { input: isBeside ? input + beside : input, cached: read, output };
}

const Models = z.object({
  models: z.object({
    currentModelId: z.string(),
    availableModels: z.array(z.object({ modelId: z.string(), name: z.string().nullish() })).max(1000),
  }),
});

/** Names of a new session's model, the most likely ones for a price table first. Empty when the agent does not name it. */
export function modelsOfSession(opened: unknown): readonly string[] {
  const models = Models.safeParse(opened).data?.models;
  if (models === undefined) return [];
  const chosen = models.availableModels.find((each) => each.modelId === models.currentModelId);
  return [...new Set([...namesOf(models.currentModelId), ...namesOf(chosen?.name ?? "")])];
}

/** `gpt-5.2-codex[medium]`, `qwen3-coder-plus(openai)`: the suffix (effort, provider) is not part of the model's name. */
function namesOf(name: string): readonly string[] {
  const bare = name.split(/[[(]/, 1)[0]?.trim() ?? "";
  return [bare, name].filter((each) => each !== "");
}
