import { describe, expect, it } from "vitest";
import { readAgentWords } from "../../../src/core/recovery/agent-words.ts";

/** Sentences of providers, agents, and of what agents work with, as an agent answers with them over its protocol. */

describe("what an agent's error says", () => {
  it.each<[string, string | null]>([
    // Of providers: it is waited for.
    ["You've hit your usage limit. Upgrade to Pro to continue.", "limit"],
    ["Claude AI usage limit reached|1735689600", "limit"],
    ["5-hour limit reached ∙ resets 3pm", "limit"],
    ["Weekly limit reached ∙ resets Monday at 9am", "limit"],
    ["Opus weekly limit reached", "limit"],
    ["You've hit your session limit · resets 5pm", "limit"],
    ["Session limit reached", "limit"],
    ["This request would exceed your organization's rate limit of 40,000 input tokens per minute.", "limit"],
    ["Number of request tokens has exceeded your per-minute rate limit", "limit"],
    ["Number of requests has exceeded your daily rate limit", "limit"],
    ["Daily input token limit reached", "limit"],
    ["Monthly token limit exceeded", "limit"],
    [
      "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.",
      "limit",
    ],
    ["You exceeded your current quota, please check your plan and billing details.", "limit"],
    ["The engine is currently overloaded, please try again later.", "limit"],
    ["Quota exceeded for quota metric 'Generate Content API requests per minute'", "limit"],
    ["Resource has been exhausted (e.g. check quota).", "limit"],
    ["The model is overloaded. Please try again later.", "limit"],
    ["You have exceeded your premium request allowance.", "limit"],
    ["You've reached your monthly chat messages quota", "limit"],
    ["ThrottlingException: Too many tokens, please wait before trying again.", "limit"],
    ["Too many requests, please wait before trying again.", "limit"],
    [
      "Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds.",
      "limit",
    ],
    ["Monthly spend limit reached", "limit"],
    ["You've hit your usage limit. To upgrade, run npm install -g @openai/codex", "limit"],
    ["Usage limit reached. Get more from our model registry.", "limit"],
    ["You have reached your conversation limit. Try again in 2 hours", "limit"],
    ["You have reached your thread limit. Resets at 5pm", "limit"],
    ["Reached the maximum prompt limit of your plan", "limit"],
    ["You have reached your completion limit. Resets in 3 days", "limit"],
    ["You have exceeded the limit of 1,000,000 tokens per day", "limit"],
    ["Internal error: You're out of extra usage · resets 3am (UTC)", "limit"],
    [
      "This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.",
      "limit",
    ],
    ["We are currently experiencing high demand.", "limit"],
    ["We're currently experiencing high demand, which may cause temporary errors.", "limit"],
    ["No capacity available for model gemini-3-pro-preview on the server", "limit"],
    ["Selected model is at capacity. Please try a different model.", "limit"],
    // Of one session, one request or one tool: waiting mends none of it.
    [
      "Session token limit exceeded: 33000 tokens > 32000 limit. Please start a new session or increase the sessionTokenLimit",
      null,
    ],
    ["The input token limit exceeded: 1048576", null],
    ["context window token limit reached", null],
    ["Context limit reached · /compact or /clear to continue", null],
    ["You have reached the maximum context length limit", null],
    ["The conversation has exceeded the limit of 200,000 tokens", null],
    ["prompt is too long: 210000 tokens > 200000 maximum", null],
    ["Conversation length limit reached", null],
    ["Output token limit exceeded", null],
    ["Tool call limit reached", null],
    ["You have exceeded the tool call limit", null],
    ["Maximum turn limit reached (50)", null],
    ["Recursion limit reached without hitting a stop condition", null],
    ["Agent stopped: you hit the max iterations limit", null],
    ["Step limit reached", null],
    ["EMFILE: open file limit reached", null],
    ["inotify watch limit reached", null],
    ["The process reached the memory limit", null],
    ["File size limit reached", null],
    ["The disk is at capacity", null],
    // Of registries, forges and programs: no login of the agent's.
    ["npm ERR! 401 Unauthorized - GET https://registry.npmjs.org/private - authentication required", null],
    ["Failed to authenticate to registry.npmjs.org", null],
    ["Error response from daemon: unauthorized: authentication required", null],
    ["fatal: Authentication failed for 'https://git.example.com/a.git'; please log in", null],
    ["toomanyrequests: You have reached your pull rate limit.", null],
    ["To push, please login: run docker login first", null],
    ["The registry answered: rate limit exceeded", null],
    ["npm install: rate limit exceeded", null],
    // Of the agent's own account.
    ["Please run /login", "login"],
    ["Authentication required. Please sign in to GitHub: https://github.com/login/device", "login"],
    ["Failed to authenticate. API Error: 401", "login"],
    ["OAuth token has expired", "login"],
    ["Invalid API key provided", "login"],
  ])("%j: %s", (text, type) => {
    expect(readAgentWords({ from: "protocol", texts: [text], asksForLogin: false })?.type ?? null).toBe(type);
  });
});
