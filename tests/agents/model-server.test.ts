import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerUsage, type ModelServer, startModelServer } from "../fakes/model/server.ts";

/** The model that real agents are walked on, as an agent of each dialect meets it. */

let model: ModelServer;
beforeEach(async () => {
  model = await startModelServer();
});
afterEach(() => model.close());

interface Spoken {
  readonly dialect: string;
  readonly path: string;
  readonly body: (isStreamed: boolean) => object;
  /** What ends a streamed answer. */
  readonly end: RegExp;
  /** What its usage is, in a streamed answer. */
  readonly usage: RegExp;
  /** How it says an error's kind. */
  readonly limit: unknown;
  readonly login: unknown;
}

const schema = { type: "object", properties: { file_path: { type: "string" }, command: { type: "string" } } };
const tools = ["read", "edit", "bash"];

const spoken: readonly Spoken[] = [
  {
    dialect: "chat",
    path: "/v1/chat/completions",
    body: (stream) => ({
      model: "m",
      stream,
      tools: tools.map((name) => ({ type: "function", function: { name, parameters: schema } })),
    }),
    end: /data: \[DONE\]\n\n$/,
    usage: /"prompt_tokens":1000,"completion_tokens":100/,
    limit: { error: { type: "rate_limit_error", code: "429" } },
    login: { error: { code: "401" } },
  },
  {
    dialect: "responses",
    path: "/v1/responses",
    body: (stream) => ({
      model: "m",
      stream,
      tools: tools.map((name) => ({ type: "function", name, parameters: schema })),
    }),
    end: /event: response\.completed\ndata: .*\n\n$/,
    usage: /"input_tokens":1000,.*"output_tokens":100/,
    limit: { error: { type: "rate_limit_error", code: "429" } },
    login: { error: { code: "401" } },
  },
  {
    dialect: "messages",
    path: "/v1/messages",
    body: (stream) => ({ model: "m", stream, tools: tools.map((name) => ({ name, input_schema: schema })) }),
    end: /event: message_stop\ndata: .*\n\n$/,
    usage: /"input_tokens":1000,.*"usage":\{"output_tokens":100\}/s,
    limit: { type: "error", error: { type: "rate_limit_error" } },
    login: { type: "error", error: { type: "authentication_error" } },
  },
  {
    dialect: "gemini",
    path: "/v1beta/models/m:streamGenerateContent",
    body: () => ({ tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) }] }),
    end: /"finishReason":"STOP".*\n\n$/s,
    usage: /"promptTokenCount":1000,"candidatesTokenCount":100/,
    limit: { error: { code: 429, status: "RESOURCE_EXHAUSTED" } },
    login: { error: { code: 401, status: "UNAUTHENTICATED" } },
  },
];

/** What a streamed answer says, its pieces put together. */
function saidIn(stream: string): string {
  const events = stream
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [line.slice("data: ".length)] : []));
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (typeof each !== "string") look(each);
      else if (["arguments", "command", "content", "delta", "partial_json", "text"].includes(key)) found.push(each);
    }
  };
  for (const each of events) look(JSON.parse(each));
  return found.join("");
}

describe.each(spoken)("$dialect", ({ dialect, path, body, end, usage, limit, login }) => {
  const ask = async (isStreamed = true): Promise<Response> =>
    await fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body(isStreamed)) });

  it("streams a tool call of its script with its usage, and ends", async () => {
    model.play({ run: "npm test" }, { say: "Done." });

    const [call, said] = [await (await ask()).text(), await (await ask()).text()];

    expect(call).toMatch(end);
    expect(call).toMatch(usage);
    expect(saidIn(call)).toContain("npm test");
    expect(saidIn(said)).toContain("Done.");
    expect(model.requests).toMatchObject([
      { dialect, isWork: true, status: 200, usage: answerUsage },
      { dialect, isWork: true, status: 200, usage: answerUsage },
    ]);
    expect(model.left()).toBe(0);
  });

  it("refuses with and without a reset, and for a login, in its own words", async () => {
    model.play({ status: 429, headers: { "retry-after": "7" } }, { status: 429 }, { status: 401 });

    const [reset, noReset, refused] = [await ask(), await ask(), await ask()];

    expect([reset.status, reset.headers.get("retry-after")]).toEqual([429, "7"]);
    expect([noReset.status, noReset.headers.get("retry-after")]).toEqual([429, null]);
    expect(await reset.json()).toMatchObject(limit as object);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject(login as object);
    expect(model.requests.map((each) => each.usage)).toEqual([null, null, null]);
  });

  it("is slow as long as its script says", async () => {
    let isOver = false;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    model.play({
      say: "Late.",
      async once() {
        asked();
        await over;
        isOver = true;
      },
    });

    const answer = ask();
    await isAsked;
    end();

    expect(saidIn(await (await answer).text())).toContain("Late.");
    expect(isOver).toBe(true);
  });

  it("breaks off in the middle of an answer, which used nothing that anybody was told", async () => {
    model.play("cut");

    const answer = await ask();

    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(model.requests).toMatchObject([{ status: 200, usage: null }]);
  });
});
