import { type Answer, at, type Dialect, event, listAt, pieces, toolOf } from "./dialect.ts";

/** Anthropic's messages. */
export const messages: Dialect = {
  name: "messages",
  matches: (path) => path.endsWith("/messages"),
  read: (body) => ({
    model: String(at(body, "model")),
    isStreamed: at(body, "stream") === true,
    tools: listAt(body, "tools").flatMap((each) => toolOf(at(each, "name"), at(each, "input_schema"))),
    wanted: null,
  }),
  stream(answer) {
    const { said, usage } = answer;
    const begun = {
      ...messageOf(answer),
      content: [],
      stop_reason: null,
      usage: { ...usageOf(answer), output_tokens: 1 },
    };
    const block = said.type === "text" ? { type: "text", text: "" } : { ...blockOf(answer), input: {} };
    const deltas =
      said.type === "text"
        ? pieces(said.text).map((text) => ({ type: "text_delta", text }))
        : pieces(JSON.stringify(said.input)).map((text) => ({ type: "input_json_delta", partial_json: text }));
    return [
      typed("message_start", { message: begun }),
      typed("content_block_start", { index: 0, content_block: block }),
      ...deltas.map((delta) => typed("content_block_delta", { index: 0, delta })),
      typed("content_block_stop", { index: 0 }),
      typed("message_delta", {
        delta: { stop_reason: stopOf(answer), stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      typed("message_stop", {}),
    ];
  },
  whole: messageOf,
  error: (status, message) => ({
    type: "error",
    error: {
      type: status === 429 ? "rate_limit_error" : status === 401 ? "authentication_error" : "api_error",
      message,
    },
  }),
};

function typed(type: string, rest: object): string {
  return event({ type, ...rest }, type);
}

function blockOf({ id, said }: Answer): object {
  if (said.type === "text") return { type: "text", text: said.text };
  return { type: "tool_use", id: `toolu_${id}`, name: said.name, input: said.input };
}

function stopOf({ said }: Answer): string {
  return said.type === "text" ? "end_turn" : "tool_use";
}

function usageOf({ usage: { input, output } }: Answer): object {
  return { input_tokens: input, output_tokens: output, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
}

function messageOf(answer: Answer): object {
  const { id, model } = answer;
  const about = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
  return { ...about, content: [blockOf(answer)], stop_reason: stopOf(answer), usage: usageOf(answer) };
}
