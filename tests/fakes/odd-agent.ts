/** A program that speaks to us as an agent does, and says what no agent should. */

/** The answers of an agent that is as it should be, by method; a program's text that replaces some of them. */
export const agentProgram = (answers: string): string => `
const { createInterface } = require("node:readline");
const write = (text) => process.stdout.write(text + "\\n");
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const update = (content, sessionId = "s") => send({ method: "session/update", params: { sessionId, update: content } });
const deep = (depth, open, close) => open.repeat(depth) + close.repeat(depth);
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  "session/new": () => ({ sessionId: "s" }),
  "session/prompt": () => ({ stopReason: "end_turn" }),
  ${answers}
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (answers[method] !== undefined) { const result = answers[method](); if (result !== undefined) send({ id, result }); }
});`;
