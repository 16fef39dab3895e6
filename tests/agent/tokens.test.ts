import { describe, expect, it } from "vitest";
import { modelsOfSession, tokensOfMessage, tokensOfTurn } from "../../src/agent/acp/tokens.ts";
import { priceOfAny } from "../../src/agent/llm/price.ts";

/** What agents say of the tokens they used, each in its own way, and what that costs. */

/** As codex-acp answers a prompt: what was cached stands beside the input, and the model goes by two names. */
const codex = {
  stopReason: "end_turn",
  usage: { totalTokens: 101_500, inputTokens: 500, cachedReadTokens: 100_000, outputTokens: 1000 },
  _meta: {
    quota: {
      model_usage: [
        {
          model: "gpt-5.2-codex",
          token_count: { totalTokens: 101_500, inputTokens: 500, cachedInputTokens: 100_000, outputTokens: 1000 },
        },
      ],
    },
  },
};

const session = (modelId: string, name: string) => ({
  models: { currentModelId: modelId, availableModels: [{ modelId, name }] },
});

describe("tokens that the provider had cached", () => {
  it("stand beside the input or in it: the sum tells which", () => {
    const said = (usage: object) => tokensOfMessage({ usage }, [])?.input;
    const cached = { inputTokens: 1000, cachedReadTokens: 900, outputTokens: 100 };

    expect(said({ ...cached, totalTokens: 2000 })).toBe(1900);
    expect(said({ ...cached, totalTokens: 1100 })).toBe(1000);
    // The model's thoughts may come to as much as what was cached.
    expect(said({ ...cached, totalTokens: 2000, thoughtTokens: 900 })).toBe(1000);
    expect(said({ ...cached, cachedWriteTokens: 50, totalTokens: 2050 })).toBe(1950);
    expect(said(cached)).toBe(1000);
    expect(said({ ...cached, totalTokens: 0 })).toBe(1000);
    expect(said({ inputTokens: 10, cachedReadTokens: 900, outputTokens: 100 })).toBe(910);
  });

  it("are the same by model and of the whole turn", () => {
    const { usage, stopReason } = codex;
    const counted = { input: 100_500, cached: 100_000, output: 1000 };

    expect(tokensOfTurn(codex, [])).toEqual([{ models: ["gpt-5.2-codex"], ...counted }]);
    expect(tokensOfTurn({ stopReason, usage }, ["x"])).toEqual([{ models: ["x"], ...counted }]);
  });

  it("are paid for: by a price of one's own as input, else as the table says", async () => {
    const [used] = tokensOfTurn(codex, []);
    const own = await priceOfAny([], { inputUsd: 3, outputUsd: 15 });
    const table = await priceOfAny(used?.models ?? [], null);

    expect(used && own(used)).toBe(100_500 * 3 + 1000 * 15);
    expect(used && table(used)).toBeGreaterThan(10_000);
    expect(used && table(used)).toBeLessThan(100_000);
  });
});

describe("the model of a session", () => {
  it.each([
    ["gpt-5.2-codex[medium]", "GPT-5.2-Codex (medium)"],
    ["claude-sonnet-4-5(anthropic)", "Sonnet, the usual one"],
    ["x", "claude-sonnet-4-5"],
  ])("%s, shown as %s, has the price of its model", async (id, name) => {
    const price = await priceOfAny(modelsOfSession(session(id, name)), null);

    expect(price({ input: 1_000_000, cached: 0, output: 0 })).toBeGreaterThan(0);
  });

  it("that nobody knows has none, and one that is not named has only a price of one's own", async () => {
    const unknown = await priceOfAny(modelsOfSession(session("house-model[x]", "Ours")), null);
    const tokens = { input: 1, cached: 0, output: 0 };

    expect(unknown(tokens)).toBeNull();
    expect((await priceOfAny(modelsOfSession({}), null))(tokens)).toBeNull();
    expect((await priceOfAny([], { inputUsd: 3, outputUsd: 15 }))(tokens)).toBe(3);
  });

  it("is that of the count where gemini names it", () => {
    const model_usage = [{ model: "gemini-2.5-pro", token_count: { input_tokens: 10, output_tokens: 2 } }];

    expect(tokensOfTurn({ _meta: { quota: { model_usage } } }, ["auto"])).toEqual([
      { models: ["gemini-2.5-pro", "auto"], input: 10, cached: 0, output: 2 },
    ]);
  });
});
