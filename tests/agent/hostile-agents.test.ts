import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { acpRunner } from "../../src/agent/acp/acp.ts";
import { greetAgent } from "../../src/agent/acp/greet.ts";
import { temporaryFolder, writeFiles } from "./fixtures.ts";
import { encloseWith, type Mount, type Network } from "../../src/agent/place/bubblewrap.ts";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { processesOf } from "../../src/agent/process/orphans.ts";
import type { RunRequest, RunResult } from "../../src/agent/process/runner.ts";
import type { AgentOperation } from "../../src/core/worklog/operations.ts";
import { eventually } from "../fakes/bot.ts";
import { agentProgram } from "../fakes/odd-agent.ts";
import { handTimers, type HandTimers } from "../fakes/timers.ts";

/** Whatever an agent writes, its run ends with a result that says why; nothing is thrown, and nothing waits. */

let folder: string;
let operations: AgentOperation[];
let spends: () => Promise<void>;
let permits: () => Promise<"reject">;
let silences: unknown[];
let timers: HandTimers;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-hostile-"));
  operations = [];
  spends = async () => undefined;
  permits = async () => "reject";
  silences = [];
  timers = handTimers();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commandOf(answers: string): Promise<string> {
  const file = join(folder, "agent.cjs");
  await writeFile(file, agentProgram(answers));
  return `"${process.execPath}" "${file}"`;
}

async function ran(answers: string, rest: Partial<RunRequest> = {}): Promise<RunResult> {
  const request: RunRequest = {
    runId: `run-${Math.floor(performance.now() * 1000).toString(16)}`,
    goalId: "goal-1",
    worktree: folder,
    outputFile: join(folder, "output.txt"),
    prompt: "Do it",
    agentSessionId: null,
    // No limit ends it: an agent that hangs would hang the test.
    timers,
    quietMs: 300_000,
    timeoutMs: 600_000,
    inactivityMs: 600_000,
    environment: {},
    secrets: [],
    allowedCommands: [],
    grants: [],
    enclosure: null,
    ...rest,
  };
  const observer = {
    onActivity: () => undefined,
    onAgentSession: async () => undefined,
    onSpend: () => spends(),
    onOddCost: () => undefined,
    onPermission: () => permits(),
    onSilence: (silence: unknown) => void silences.push(silence),
    onOperation: (operation: AgentOperation) => void operations.push(operation),
  };
  const result = await acpRunner(await commandOf(answers))(request, observer, new AbortController().signal);
  expect(processesOf(request.runId)).toEqual([]);
  return result;
}

describe("an agent that has spoken the protocol", () => {
  const prints = `for (let n = 0; n < 40; n += 1) write("[" + n + "/40] indexing");`;

  it("is not called one that does not for lines that are no messages", async () => {
    expect(await ran(`"session/prompt": () => { ${prints} return { stopReason: "end_turn" }; }`)).toMatchObject({
      type: "finished",
    });
    expect(await ran(`initialize: () => { ${prints} }`)).toMatchObject({ type: "unavailable" });
  });

  it("has finished once it has answered, also when it ends itself right then and its cost is still written down", async () => {
    const cost = `update({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.5, currency: "USD" } });`;
    spends = () => new Promise((resume) => setTimeout(resume, 300));
    const result = await ran(
      `"session/prompt": () => { ${cost} setTimeout(() => process.exit(0), 1); return { stopReason: "end_turn" }; }`,
    );

    expect(result).toMatchObject({ type: "finished" });
    expect(await ran(`"session/prompt": () => { ${cost} process.exit(0); }`)).toMatchObject({ type: "failed" });
  });
});

describe("an agent that ends while it is asked about what it wants to do", () => {
  it("is not called silent later", async () => {
    permits = () => new Promise(() => undefined);
    const asks = `send({ id: 7, method: "session/request_permission", params: { sessionId: "s",
      toolCall: { toolCallId: "a", title: "rm -rf build", kind: "execute", status: "pending", rawInput: { command: "rm -rf build" } },
      options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }, { optionId: "no", name: "Reject", kind: "reject_once" }] } });`;

    const result = await ran(`"session/prompt": () => { ${asks} setTimeout(() => process.exit(1), 300); }`);
    timers.advance(300_000);

    expect(result).toMatchObject({ type: "failed" });
    expect(silences).toEqual([]);
    expect(timers.waiting()).toBe(0);
  });
});

describe("an agent that asks with the name of its tool alone", () => {
  const asks = `send({ id: 7, method: "session/request_permission", params: { sessionId: "s",
    toolCall: { toolCallId: "a", title: "bash", kind: "execute", status: "pending", rawInput: {} },
    options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }, { optionId: "no", name: "Reject", kind: "reject_once" }] } });`;
  const tells = (sessionUpdate: string, rawInput: string): string =>
    `update({ sessionUpdate: "${sessionUpdate}", toolCallId: "a", title: "bash", kind: "execute", status: "pending", rawInput: ${rawInput} });`;

  it("asks for what it told before of that call", async () => {
    const told = tells("tool_call", "{}") + tells("tool_call_update", `{ command: "rm -rf build" }`);
    expect(await ran(`"session/prompt": () => { ${told} ${asks} }`)).toMatchObject({
      type: "permission",
      ask: { title: "bash", command: "rm -rf build", given: [] },
    });
  });

  it("and it is said that it told nothing", async () => {
    expect(await ran(`"session/prompt": () => { ${asks} }`)).toMatchObject({
      type: "permission",
      ask: { title: "bash", command: null, given: ["it does not say what"] },
    });
  });
});

const tooLarge = /a message of more than 32 MB/;
const big = `"x".repeat(40_000_000)`;
const todos = (content: string) =>
  `entries: Array.from({ length: 10_000 }, (_, n) => ({ content: n + ${content}, status: "pending", priority: "low" }))`;

describe("a message that is larger than any message may be", () => {
  it.each([
    [
      "a plan of 10,000 todos",
      `"session/prompt": () => { update({ sessionUpdate: "plan", ${todos(`"x".repeat(4_000)`)} }); return { stopReason: "end_turn" }; }`,
    ],
    [
      "what a tool printed",
      `"session/prompt": () => { update({ sessionUpdate: "tool_call_update", toolCallId: "a", status: "completed", rawOutput: ${big} }); return { stopReason: "end_turn" }; }`,
    ],
    [
      "a request",
      `"session/prompt": () => { send({ id: 7, method: "fs/write_text_file", params: { sessionId: "s", path: "a", content: ${big} } }); }`,
    ],
    ["an answer", `"session/prompt": () => ({ stopReason: "end_turn", more: ${big} })`],
    ["a line without an end", `"session/prompt": () => { process.stdout.write(${big}); }`],
  ])("fails the run, which says so, and nothing waits for it: %s", async (_, answers) => {
    const result = await ran(answers);

    expect(result).toMatchObject({ type: "failed", reason: expect.stringMatching(tooLarge) });
  });

  it("before the agent has begun, it is unavailable; a greeting says the same", async () => {
    const huge = `initialize: () => ({ protocolVersion: 1, more: ${big} })`;

    const result = await ran(huge);
    const greeting = await greetAgent(await commandOf(huge), { environment: {}, secrets: [], waitMs: 600_000 });

    expect(result).toMatchObject({ type: "unavailable", reason: expect.stringMatching(tooLarge) });
    expect(greeting).toMatchObject({ type: "silent", reason: expect.stringMatching(tooLarge) });
  });

  it("keeps what was told before it", async () => {
    await ran(`"session/prompt": () => {
      update({ sessionUpdate: "tool_call", toolCallId: "a", title: "Edit a.txt", kind: "edit", status: "pending", locations: [{ path: "a.txt" }] });
      update({ sessionUpdate: "tool_call_update", toolCallId: "a", status: "completed" });
      update({ sessionUpdate: "plan", ${todos(`"x".repeat(4_000)`)} });
    }`);

    expect(await readFile(join(folder, "output.txt"), "utf8")).toContain("Edit a.txt");
    expect(operations).toMatchObject([{ type: "tool", paths: ["a.txt"] }]);
  });
});

describe("large messages that are read", () => {
  it("of 10,000 todos a hundred are heard, each as long as an account of it may be", async () => {
    const result = await ran(
      `"session/prompt": () => { update({ sessionUpdate: "plan", ${todos(`"x".repeat(2_500)`)} }); return { stopReason: "end_turn" }; }`,
    );

    expect(result.type).toBe("finished");
    expect(operations).toHaveLength(1);
    expect(operations[0]).toMatchObject({ type: "plan", lines: { length: 100 } });
  });

  it("of each tool call no more is held than an account needs", async () => {
    const result = await ran(`"session/prompt": () => {
      const long = "x".repeat(8_000_000);
      update({ sessionUpdate: "tool_call", toolCallId: "a", title: long, kind: "execute", status: "in_progress", rawInput: { command: long, other: long, list: [long] } });
      update({ sessionUpdate: "tool_call_update", toolCallId: "a", status: "completed", rawOutput: long });
      return { stopReason: "end_turn" };
    }`);

    expect(result.type).toBe("finished");
    expect(JSON.stringify(operations).length).toBeLessThan(200_000);
  });
});

describe("answers of other shapes than the protocol has", () => {
  it.each([
    ["no session", `"session/new": () => null`, "failed"],
    ["a session without a name", `"session/new": () => ({ sessionId: 7 })`, "failed"],
    ["no end", `"session/prompt": () => null`, "failed"],
    ["an end of another type", `"session/prompt": () => ({ stopReason: { toString: 1 } })`, "failed"],
    [
      "an error whose words are none",
      `"session/new": () => { send({ id: 1, error: { code: "x", message: { toString: 1 }, data: 7 } }); }`,
      "failed",
    ],
    [
      "an error with nested words",
      `"session/new": () => { write('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no","data":' + deep(200_000, "[", "]") + '}}'); }`,
      "failed",
    ],
    ["nothing to initialize", `initialize: () => null`, "unavailable"],
    ["a version that is no number", `initialize: () => ({ protocolVersion: { toString: 1 } })`, "unavailable"],
    [
      "a name that is no text",
      `initialize: () => ({ protocolVersion: 1, agentInfo: { name: 7, version: [] } })`,
      "finished",
    ],
    [
      "capabilities of no shape",
      `initialize: () => ({ protocolVersion: 1, agentCapabilities: 7, authMethods: 7 })`,
      "finished",
    ],
    [
      "a permission for nesting",
      `"session/prompt": () => { write('{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"once","name":"Once","kind":"allow_once"}],"toolCall":{"toolCallId":"a","title":"x","kind":"execute","rawInput":{"command":' + deep(200_000, "[", "]") + '}}}}'); }`,
      "permission",
    ],
    [
      "a permission for nesting that nobody can give",
      `"session/prompt": () => { write('{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s","options":[],"toolCall":{"toolCallId":"a","title":"x","kind":"execute","rawInput":{"command":' + deep(200_000, "[", "]") + '}}}}'); return { stopReason: "end_turn" }; }`,
      "finished",
    ],
  ])("%s: the run ends with a result", async (_, answers, type) => {
    const result = await ran(answers);

    expect(result.type).toBe(type);
  });

  it.each([
    [
      "a cost that is no number",
      `update({ sessionUpdate: "usage_update", cost: { amount: { toString: 1, valueOf: 1 }, currency: "USD" } })`,
    ],
    ["a plan of nothing", `update({ sessionUpdate: "plan", entries: [null, 7, {}] })`],
    ["updates of no shape", `for (const odd of [null, 7, [], "x", { sessionUpdate: 7 }]) update(odd)`],
    [
      "nesting that no reader follows",
      `write('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"a","title":"x","kind":"execute","status":"completed","rawInput":{"command":' + deep(200_000, "[", "]") + ',"todos":' + deep(100_000, '[', ']') + '}}}}')`,
    ],
    [
      "NUL, half characters and directions",
      `write('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"a\\\\u0000\\\\ud800\\\\u202e","status":"\\\\u0000"}]}}}')`,
    ],
    [
      "bytes that are no text",
      `process.stdout.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('","status":"pending"}]}}}\\n')]))`,
    ],
  ])("%s: the turn goes on", async (_, told) => {
    const result = await ran(`"session/prompt": () => { ${told}; return { stopReason: "end_turn" }; }`);

    expect(result.type).toBe("finished");
  });
});

describe("words of an agent", () => {
  it.each([
    ["an answer to nothing", `write(JSON.stringify({ jsonrpc: "2.0", id: '\\n{"level":"error"}', result: {} }))`],
    [
      "updates of no shape",
      `for (const odd of [null, 7, { sessionUpdate: 7 }, { sessionUpdate: "plan" }]) update(odd)`,
    ],
  ])("are not printed between the lines of our log: %s", async (_, told) => {
    const printed = vi.spyOn(console, "error");
    onTestFinished(() => printed.mockRestore());

    const result = await ran(`"session/prompt": () => { ${told}; return { stopReason: "end_turn" }; }`);

    expect(result.type).toBe("finished");
    expect(printed.mock.calls).toEqual([]);
  });
});

describe("an agent that hangs before it has begun its work", () => {
  it.each([
    ["initialize", "waiting for its answer to initialize"],
    ["session/new", "waiting for it to open a session"],
  ])("is said to be silent with what it did not answer: %s", async (method, awaited) => {
    const asked = join(folder, "asked");
    const running = ran(`"${method}": () => require("node:fs").writeFileSync(${JSON.stringify(asked)}, "")`, {
      inactivityMs: 60_000,
    });
    await eventually(`it is asked to ${method}`, async () => existsSync(asked));
    timers.advance(60_000);

    expect(await running).toMatchObject({ type: "timeout", reason: `silent for 1 min, ${awaited}` });
  });
});

const { tools } = await whatIsolates("auto");

describe.runIf(tools !== null)("an agent in a place of its own that closes its output and lives on", () => {
  const networks: Network[] = [{ type: "none", forwards: [] }];
  if (tools?.wayOut != null) networks.push({ type: "out", forwards: [] });

  it.each(networks)("is heard to have closed it, with a network of the kind $type", async (network) => {
    if (tools === null) return;
    const mounts: Mount[] = [{ type: "read", from: "/", at: "/" }, { type: "devices" }];
    mounts.push({ type: "write", from: folder, at: folder });

    const result = await ran(`"session/prompt": () => void require("node:fs").closeSync(1)`, {
      enclosure: { enclose: (starting) => encloseWith({ tools, mounts, network, isMarked: true }, starting) },
    });

    expect(result).toMatchObject({ type: "failed", reason: "the agent closed its output before it had finished" });
  });
});

it("a secret is masked also when two chunks share one of its characters", async () => {
  const folder = temporaryFolder();
  const secret = "geh\u00e9im-wort-12345";
  const parts = [Buffer.from(secret).subarray(0, 4), Buffer.from(secret).subarray(4)].map((each) =>
    each.toString("base64"),
  );
  const write = (part: string | undefined, then: string): string =>
    `process.stderr.write(Buffer.from("${part}", "base64"), () => ${then});`;
  writeFiles(folder, {
    "agent.mjs": write(parts[0], `setTimeout(() => { ${write(parts[1], "process.exit(1)")} }, 200)`),
  });

  const greeting = await greetAgent(`node ${join(folder, "agent.mjs")}`, {
    environment: {},
    secrets: [secret],
    waitMs: 600_000,
  });

  expect(greeting.type).toBe("silent");
  expect(JSON.stringify(greeting)).not.toMatch(/wort|\uFFFD/);
});
