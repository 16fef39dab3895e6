import { type Answer, at, type Dialect, event, listAt, pieces, schemaOf, toolOf } from "./dialect.ts";

/** OpenAI's responses. */
export const responses: Dialect = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  read: (body) => ({
    model: String(at(body, "model")),
    isStreamed: at(body, "stream") === true,
    tools: listAt(body, "tools").flatMap((each) => toolOf(at(each, "name"), at(each, "parameters"))),
    wanted: schemaOf(at(body, "text", "format", "schema")),
  }),
  stream(answer) {
    const item = itemOf(answer);
    const place = { item_id: answer.id, output_index: 0 };
    const { said } = answer;
    const parts =
      said.type === "text"
        ? [
            typed("response.content_part.added", {
              ...place,
              content_index: 0,
              part: { type: "output_text", text: "", annotations: [] },
            }),
            ...pieces(said.text).map((delta) =>
              typed("response.output_text.delta", { ...place, content_index: 0, delta }),
            ),
            typed("response.output_text.done", { ...place, content_index: 0, text: said.text }),
          ]
        : [
            ...pieces(JSON.stringify(said.input)).map((delta) =>
              typed("response.function_call_arguments.delta", { ...place, delta }),
            ),
            typed("response.function_call_arguments.done", { ...place, arguments: JSON.stringify(said.input) }),
          ];
    return [
      typed("response.created", { response: { ...responseOf(answer, "in_progress"), output: [], usage: null } }),
      typed("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } }),
      ...parts,
      typed("response.output_item.done", { output_index: 0, item }),
      typed("response.completed", { response: responseOf(answer, "completed") }),
    ];
  },
  whole: (answer) => responseOf(answer, "completed"),
  error: (status, message) => ({
    error: { message, type: status === 429 ? "rate_limit_error" : "error", code: String(status) },
  }),
};

function typed(type: string, rest: object): string {
  return event({ type, ...rest }, type);
}

function itemOf({ id, said }: Answer): object {
  if (said.type === "call")
    return {
      type: "function_call",
      id,
      call_id: `call_${id}`,
      name: said.name,
      arguments: JSON.stringify(said.input),
      status: "completed",
    };
  const content = [{ type: "output_text", text: said.text, annotations: [] }];
  return { type: "message", id, role: "assistant", status: "completed", content };
}

function responseOf(answer: Answer, status: string): object {
  const { input, output } = answer.usage;
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: 1,
    model: answer.model,
    status,
    output: [itemOf(answer)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}
