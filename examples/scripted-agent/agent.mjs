#!/usr/bin/env node
// A coding agent without a model: it speaks the Agent Client Protocol like a real one, but follows a script. It really edits
// files and runs commands. The sample campaign uses the scripts in scripts.json, found by the words of the goal; any other
// script is given with --script FILE (a list of steps, or of scripts with "match"). The protocol is a JSON-RPC message a line,
// here without its SDK: a program of one file starts in a quarter of the time.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const chosen = process.argv.indexOf("--script");
const scriptFile = chosen === -1 ? join(here, "scripts.json") : resolve(process.argv[chosen + 1] ?? "");

/** Its own account of what it cost, a line a step, when --account FILE is given. */
const accounted = process.argv.indexOf("--account");
const accountFile = accounted === -1 ? null : resolve(process.argv[accounted + 1] ?? "");

/** With --free it has cost nothing, whatever its scripts say: what is only tried is no spend. */
const isFree = process.argv.includes("--free");

/** Sessions of this process: where they work, what they cost, whether they were cancelled. */
const sessions = new Map();

function open(sessionId, cwd) {
  sessions.set(sessionId, { cwd, costUsd: 0, isCancelled: false });
  return sessionId;
}

/** The steps for a prompt: the first script whose words all occur in it. */
function stepsFor(prompt) {
  const scripts = JSON.parse(readFileSync(scriptFile, "utf8"));
  if (scripts.every((entry) => !Array.isArray(entry.steps))) return scripts;
  const found = scripts.find((script) => (script.match ?? []).every((word) => prompt.includes(word)));
  return found?.steps ?? [{ say: "No script matches this goal; a scripted agent can only follow its scripts." }];
}

function run(command, cwd) {
  return new Promise((settle) => {
    const child = spawn("sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => settle({ code: 127, output: error.message }));
    child.once("close", (code) => settle({ code, output: output.slice(-4000) }));
  });
}

/** What the client was asked, by id, until it answers. */
const asked = new Map();

const send = (message) =>
  new Promise((sent) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, sent));

const notify = (method, params) => send({ method, params });

function request(method, params) {
  const id = asked.size + 1;
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject });
    void send({ id, method, params });
  });
}

/** Does one step; returns a stop reason when the turn ends there. */
async function doStep(step, sessionId, number) {
  const session = sessions.get(sessionId);
  const update = (content) => notify("session/update", { sessionId, update: content });
  const toolCallId = `call-${number}`;
  const say = (text) =>
    update({ sessionUpdate: "agent_message_chunk", messageId: `message-${number}`, content: { type: "text", text } });
  const begin = (title, kind, more = {}) =>
    update({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "in_progress", ...more });
  const end = (status, more = {}) => update({ sessionUpdate: "tool_call_update", toolCallId, status, ...more });

  if (step.plan !== undefined) {
    await update({
      sessionUpdate: "plan",
      // A line is its text, or its text and status.
      entries: step.plan.map((line) => {
        return { priority: "medium", status: "pending", ...(typeof line === "string" ? { content: line } : line) };
      }),
    });
  }
  if (step.todos !== undefined) {
    // As agents do that tell their plan by the tool which keeps it.
    await begin("todowrite", "other", { rawInput: {} });
    await end("completed", { rawInput: { todos: step.todos.map((todo) => ({ priority: "medium", ...todo })) } });
  }
  if (step.say !== undefined) {
    // An answer to an examination carries the name that its prompt gave it.
    await say(step.say.replaceAll("EXAMINATION", session.examination));
  }
  if (step.costUsd !== undefined) {
    session.costUsd += step.costUsd;
    if (accountFile !== null) appendFileSync(accountFile, `${JSON.stringify({ sessionId, costUsd: step.costUsd })}\n`);
    const cost = { amount: isFree ? 0 : session.costUsd, currency: "USD" };
    await update({ sessionUpdate: "usage_update", used: 1000, size: 200_000, cost });
  }
  if (step.tokens !== undefined) {
    const usage = { inputTokens: step.tokens.input, outputTokens: step.tokens.output };
    const content = { type: "text", text: "" };
    await update({ sessionUpdate: "agent_message_chunk", messageId: `message-${number}`, content, _meta: { usage } });
  }
  if (step.write !== undefined) {
    const file = join(session.cwd, step.write.path);
    await begin(`Write ${step.write.path}`, "edit", { locations: [{ path: file }] });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, step.write.content);
    await end("completed");
  }
  if (step.replace !== undefined) {
    const file = join(session.cwd, step.replace.path);
    await begin(`Edit ${step.replace.path}`, "edit", { locations: [{ path: file }] });
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replaceAll(step.replace.find, step.replace.with));
    await end(before.includes(step.replace.find) ? "completed" : "failed");
  }
  if (step.append !== undefined) appendFileSync(resolve(session.cwd, step.append.path), step.append.content);
  if (step.run !== undefined) {
    await begin(step.run, "execute", { rawInput: { command: step.run } });
    const { code, output } = await run(step.run, session.cwd);
    await end(code === 0 ? "completed" : "failed", { rawOutput: { exitCode: code, output } });
    await say(`${step.run}: exit code ${code}\n${step.quiet ? "" : output}`);
    if (code !== 0 && step.mustPass) return "refusal";
  }
  if (step.permission !== undefined) {
    const { title, kind = "execute", command } = step.permission;
    const toolCall = { toolCallId, title, kind, status: "pending", rawInput: command === undefined ? {} : { command } };
    const options = [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ];
    const { outcome } = await request("session/request_permission", { sessionId, toolCall, options });
    if (outcome.outcome === "cancelled") return "cancelled";
    if (outcome.optionId !== "yes") return step.permission.elseGoOn ? null : "refusal";
    if (command !== undefined) await run(command, session.cwd);
  }
  if (step.sleepMs !== undefined) {
    for (let left = step.sleepMs; left > 0 && !session.isCancelled; left -= 50) await sleep(Math.min(50, left));
  }
  if (step.hang) await new Promise((settle) => setTimeout(settle, 24 * 3600_000));
  if (step.complain !== undefined) {
    await new Promise((settle) => process.stderr.write(step.complain, settle));
  }
  if (step.crash) process.exit(step.crash === true ? 1 : step.crash);
  if (step.fail !== undefined) throw new Error(step.fail);
  if (step.garbage !== undefined) process.stdout.write(`${step.garbage}\n`);
  if (step.floodBytes !== undefined) {
    const line = `${"x".repeat(1023)}\n`;
    for (let written = 0; written < step.floodBytes; written += line.length) {
      if (!process.stderr.write(line)) await new Promise((settle) => process.stderr.once("drain", settle));
    }
  }
  return session.isCancelled ? "cancelled" : (step.stop ?? null);
}

async function prompt({ sessionId, prompt: parts }) {
  const session = sessions.get(sessionId);
  session.isCancelled = false;
  let number = 0;
  const words = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  session.examination = /"examination": "([0-9a-f]+)"/.exec(words)?.[1] ?? "";
  for (const step of stepsFor(words)) {
    number += 1;
    const stopReason = await doStep(step, sessionId, number);
    if (stopReason !== null) return { stopReason };
  }
  return { stopReason: "end_turn" };
}

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "scripted-agent", title: "Scripted agent (no model)", version: "1.0.0" },
    agentCapabilities: { loadSession: false, sessionCapabilities: { resume: {} } },
  }),
  "session/new": ({ cwd }) => ({ sessionId: open(`scripted-${process.pid}-${Date.now()}`, cwd) }),
  "session/resume": ({ sessionId, cwd }) => {
    open(sessionId, cwd);
    return {};
  },
  "session/prompt": prompt,
  "session/cancel": ({ sessionId }) => {
    const session = sessions.get(sessionId);
    if (session !== undefined) session.isCancelled = true;
  },
};

async function receive({ id, method, params, result, error }) {
  if (method === undefined) {
    const { resolve, reject } = asked.get(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error.message));
    return;
  }
  try {
    if (methods[method] === undefined) throw Object.assign(new Error(`no method ${method}`), { code: -32601 });
    const answer = await methods[method](params);
    if (id !== undefined) await send({ id, result: answer });
  } catch (problem) {
    if (id !== undefined) await send({ id, error: { code: problem.code ?? -32603, message: problem.message } });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line)));
