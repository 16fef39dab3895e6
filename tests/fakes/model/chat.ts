import { type Answer, at, type Dialect, event, listAt, pieces, schemaOf, toolOf } from "./dialect.ts";

/** OpenAI's chat completions. */
export const chat: Dialect = {
  name: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    model: String(at(body, "model")),
    isStreamed: at(body, "stream") === true,
    tools: listAt(body, "tools").flatMap((each) =>
      toolOf(at(each, "function", "name"), at(each, "function", "parameters")),
    ),
    wanted: schemaOf(at(body, "response_format", "json_schema", "schema")),
  }),
  stream(answer) {
    const chunk = (delta: object, finish: string | null = null): string =>
      event({ ...head(answer, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] });
    const { said } = answer;
    const parts =
      said.type === "text"
        ? pieces(said.text).map((content) => chunk({ content }))
        : [
            chunk({ tool_calls: [{ index: 0, ...callOf(answer, said.name, "") }] }),
            ...pieces(JSON.stringify(said.input)).map((text) =>
              chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
            ),
          ];
    const usage = event({ ...head(answer, "chat.completion.chunk"), choices: [], usage: usageOf(answer) });
    return [chunk({ role: "assistant", content: "" }), ...parts, chunk({}, finishOf(answer)), usage, event("[DONE]")];
  },
  whole(answer) {
    const { said } = answer;
    const message =
      said.type === "text"
        ? { role: "assistant", content: said.text }
        : { role: "assistant", content: null, tool_calls: [callOf(answer, said.name, JSON.stringify(said.input))] };
    return {
      ...head(answer, "chat.completion"),
      choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
      usage: usageOf(answer),
    };
  },
  error: (status, message) => ({
    error: { message, type: status === 429 ? "rate_limit_error" : "error", code: String(status) },
  }),
};

function head({ id, model }: Answer, object: string): object {
  return { id, object, created: 1, model };
}

function callOf({ id }: Answer, name: string, text: string): object {
  return { id: `call_${id}`, type: "function", function: { name, arguments: text } };
}

function finishOf({ said }: Answer): string {
  return said.type === "text" ? "stop" : "tool_calls";
}

function usageOf({ usage: { input, output } }: Answer): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
