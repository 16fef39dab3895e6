import { type Answer, at, type Dialect, event, listAt, schemaOf, toolOf } from "./dialect.ts";

/** Google's generateContent and streamGenerateContent. */
export const gemini: Dialect = {
  name: "gemini",
  matches: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  read: (body, path) => ({
    model: /models\/([^:/]+)/.exec(path)?.[1] ?? "unknown",
    isStreamed: path.endsWith(":streamGenerateContent"),
    tools: listAt(body, "tools").flatMap((each) =>
      listAt(each, "functionDeclarations").flatMap((tool) =>
        toolOf(at(tool, "name"), at(tool, "parametersJsonSchema") ?? at(tool, "parameters")),
      ),
    ),
    wanted: schemaOf(
      at(body, "generationConfig", "responseJsonSchema") ?? at(body, "generationConfig", "responseSchema"),
    ),
  }),
  stream: (answer) => [event(contentOf(answer))],
  whole: contentOf,
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 429 ? "RESOURCE_EXHAUSTED" : status === 401 ? "UNAUTHENTICATED" : "INTERNAL",
    },
  }),
};

function contentOf({ said, usage, model }: Answer): object {
  const part = said.type === "text" ? { text: said.text } : { functionCall: { name: said.name, args: said.input } };
  const { input, output } = usage;
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
  };
}
