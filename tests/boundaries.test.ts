import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Who may import whom (ARCHITECTURE.md). Each room lists the rooms and the packages that it may name. */

const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const pureLibraries = ["croner", "re2js", "unbash", "zod", "yaml"];
const inside = ["core", "db", "agent", "facts", "turns", "deps", "paths", "config"];
const doors = [...inside, "projection"];

const rooms: Readonly<
  Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] | "any" }>
> = {
  core: { rooms: ["core"], packages: pureLibraries },
  db: { rooms: ["core", "db"], packages: ["drizzle-orm", "pg", "pg-copy-streams", "bullmq", "zod"] },
  agent: {
    rooms: ["core", "agent"],
    packages: [
      "gpt-tokenizer",
      "@agentclientprotocol/sdk",
      "@ai-sdk/openai-compatible",
      "@pydantic/genai-prices",
      "@secretlint/core",
      "@secretlint/secretlint-rule-preset-recommend",
      "ai",
      "yaml",
      "zod",
    ],
  },
  chat: { rooms: ["core", "chat"], packages: ["zod", "@slack/bolt", "discord.js", "gemoji"] },
  inbox: { rooms: [...doors, "chat", "commands", "inbox"], packages: [] },
  // Forges by their own protocols, as core describes them.
  forge: { rooms: ["core", "forge"], packages: ["@octokit/core", "zod"] },
  // Contents where every machine finds them.
  store: { rooms: ["core", "store"], packages: ["aws4fetch"] },
  tracing: {
    rooms: ["core", "log", "tracing"],
    packages: [
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace",
    ],
  },
  facts: { rooms: ["agent", "core", "db", "deps", "facts", "paths", "store"], packages: ["zod"] },
  projection: { rooms: ["core", "db", "deps", "facts", "projection"], packages: [] },
  // What happens never draws: it marks whose cards may show something else.
  turns: { rooms: inside, packages: ["zod"] },
  chart: { rooms: [], packages: ["@resvg/resvg-js"] },
  commands: { rooms: [...doors, "chart", "commands", "installed", "log", "tracing"], packages: ["drizzle-orm", "zod"] },
  console: {
    rooms: [...doors, "chart", "commands", "console", "installed"],
    packages: ["hono", "@hono/node-server", "highlight.js"],
  },
  done: { rooms: ["agent", "config", "core", "done", "environment", "paths", "printing", "refusing"], packages: [] },
  cheats: {
    rooms: [
      "agent",
      "cheats",
      "commands",
      "config",
      "core",
      "db",
      "deps",
      "environment",
      "facts",
      "installed",
      "jobs",
      "log",
      "turns",
      "printing",
      "refusing",
      "world",
    ],
    packages: [],
  },
  backup: {
    rooms: [
      "agent",
      "backup",
      "commands",
      "config",
      "configured-database",
      "core",
      "db",
      "deps",
      "environment",
      "facts",
      "installed",
      "log",
      "paths",
      "printing",
      "refusing",
      "settings",
      "world",
    ],
    packages: ["tar-stream"],
  },
  init: {
    rooms: [
      "agent",
      "chat",
      "commands",
      "config",
      "core",
      "environment",
      "init",
      "installed",
      "printing",
      "refusing",
      "settings",
    ],
    packages: [],
  },
  jobs: { rooms: [...inside, "jobs", "log", "queue", "queue-failures", "tracing"], packages: [] },
  deps: { rooms: ["agent", "chat", "config", "core", "db", "forge", "log", "store", "tracing"], packages: [] },
  "own-bell": { rooms: ["core"], packages: [] },
  queue: { rooms: ["core", "db", "queue-failures"], packages: ["bullmq", "ioredis"] },
  "queue-failures": { rooms: ["core", "db"], packages: [] },
  config: { rooms: ["agent", "chat", "core", "environment", "installed", "settings"], packages: [] },
  installed: { rooms: [], packages: [] },
  settings: { rooms: ["agent", "chat", "core", "settings"], packages: ["dotenv"] },
  environment: { rooms: ["agent"], packages: [] },
  printing: { rooms: [], packages: [] },
  refusing: { rooms: ["printing"], packages: [] },
  paths: { rooms: ["core"], packages: [] },
  log: { rooms: ["core"], packages: ["pino"] },
  outage: { rooms: ["core", "log"], packages: [] },
  "database-health": { rooms: ["core", "db", "outage"], packages: [] },
  "database-waits": { rooms: ["core", "db"], packages: [] },
  delivery: { rooms: ["chart", "chat", "core", "db", "deps", "log"], packages: [] },
  space: { rooms: ["config", "core", "db"], packages: [] },
  tick: { rooms: ["db", "deps", "projection", "turns"], packages: [] },
  "configured-database": { rooms: ["config", "core", "db"], packages: [] },
  examine: { rooms: ["chat", "config", "core", "queue"], packages: [] },
  ticking: { rooms: ["tick", "world"], packages: [] },
  watch: { rooms: ["core", "db", "deps"], packages: [] },
  world: {
    rooms: [
      "agent",
      "chat",
      "config",
      "configured-database",
      "core",
      "database-health",
      "database-waits",
      "db",
      "deps",
      "examine",
      "forge",
      "log",
      "outage",
      "own-bell",
      "projection",
      "queue",
      "queue-failures",
      "space",
      "store",
      "tracing",
      "turns",
    ],
    packages: [],
  },
  main: {
    rooms: [
      "agent",
      "chat",
      "commands",
      "config",
      "console",
      "core",
      "db",
      "delivery",
      "deps",
      "inbox",
      "installed",
      "jobs",
      "log",
      "queue-failures",
      "ticking",
      "world",
    ],
    packages: "any",
  },
  cli: {
    rooms: [
      "agent",
      "commands",
      "config",
      "core",
      "db",
      "deps",
      "environment",
      "examine",
      "installed",
      "log",
      "printing",
      "space",
      "watch",
      "world",
    ],
    packages: "any",
  },
};

/**
 * Rooms inside a room, and which of them each may import: the direction is one way, so none of them makes a circle. What
 * lies in no inner room is "".
 */
const innerRooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  turns: {
    shared: [],
    recovery: ["shared"],
    goal: ["shared", "recovery"],
    answers: ["shared", "recovery", "goal"],
    campaigns: ["shared", "recovery", "goal"],
    memory: ["shared"],
    housekeeping: [],
    merging: ["shared", "recovery", "goal"],
    nights: ["shared", "recovery", "goal"],
    reports: ["shared", "recovery", "goal"],
    "task-loop": ["shared", "recovery", "goal"],
    forges: ["shared", "goal"],
    worklog: ["shared"],
  },
  agent: {
    process: [],
    llm: [],
    critics: [],
    git: ["process"],
    acp: ["process"],
    place: ["process", "git"],
    verify: ["process", "git", "place"],
  },
  db: {
    schema: [],
    embedded: [],
    connection: ["schema"],
    backup: ["connection"],
    "": ["schema", "connection"],
  },
  forge: {
    http: [],
    github: ["http"],
    gitlab: ["http"],
    gitea: ["http"],
    "": ["http", "github", "gitlab", "gitea"],
  },
};

interface Import {
  readonly file: string;
  readonly from: string;
  /** A room, or "package:<name>". */
  readonly to: string;
  /** The file that is imported; null for packages. */
  readonly target: string | null;
}

function roomOf(path: string): string {
  const parts = path.split("/");
  if (parts[0] === "jobs") return "jobs";
  return (parts[1] ?? "").replace(/\.ts$/, "");
}

/** The inner room of a file of a room that has some; null for other rooms. */
function innerRoomOf(path: string): string | null {
  const room = roomOf(path);
  if (innerRooms[room] === undefined) return null;
  const parts = path.split("/");
  return parts.length > 3 ? (parts[2] ?? "") : "";
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

const files = ["src", "jobs"]
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith(".ts"))
  .sort();

function importsOf(file: string): Import[] {
  const source = readFileSync(join(project, file), "utf8");
  const specifiers = [...source.matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  return specifiers.flatMap((specifier): Import[] => {
    if (specifier.startsWith("node:")) return [];
    const from = roomOf(file);
    if (!specifier.startsWith(".")) return [{ file, from, to: `package:${packageOf(specifier)}`, target: null }];
    const target = relative(project, resolve(project, dirname(file), specifier));
    return [{ file, from, to: roomOf(target), target }];
  });
}

const imports = files.flatMap(importsOf);

describe("the rooms", () => {
  it("reads the imports of the whole source", () => {
    expect(files.length).toBeGreaterThan(80);
    expect(imports.length).toBeGreaterThan(300);
    expect([...new Set(files.map(roomOf))].filter((room) => rooms[room] === undefined)).toEqual([]);
  });

  it("import only the rooms that they may", () => {
    const wrong = imports.filter(
      ({ from, to }) => !to.startsWith("package:") && !(rooms[from]?.rooms ?? []).includes(to),
    );
    const named = wrong.filter(({ from, to }) => from !== to).map(({ file, target }) => `${file} -> ${target}`);
    expect(named).toEqual([]);
  });

  it("name what works goals only where a program starts (D33)", () => {
    const starting = imports.filter(({ from, to }) => to === "jobs" && from !== "jobs").map(({ file }) => file);
    expect([...new Set(starting)]).toEqual(["src/cheats/cli.ts", "src/main.ts"]);
  });

  it("import one way inside turns, agent, db and forge", () => {
    const inner = files.map((file) => ({ room: roomOf(file), inner: innerRoomOf(file) }));
    const unknown = inner.filter((each) => each.inner !== null && innerRooms[each.room]?.[each.inner] === undefined);
    expect(unknown).toEqual([]);
    const wrong = imports.filter(({ file, from, to, target }) => {
      if (from !== to || target === null || innerRooms[from] === undefined) return false;
      const [here, there] = [innerRoomOf(file) ?? "", innerRoomOf(target) ?? ""];
      return here !== there && !(innerRooms[from][here] ?? []).includes(there);
    });
    const named = wrong.map(({ file, target }) => `${file} -> ${target}`);
    expect(named).toEqual([]);
  });

  it("import only the packages that they may", () => {
    const wrong = imports.filter(({ from, to }) => {
      const allowed = rooms[from]?.packages ?? [];
      return to.startsWith("package:") && allowed !== "any" && !allowed.includes(to.slice(8));
    });
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });

  it("[F-101] one file makes connections to PostgreSQL, and one to Redis: there they get their listeners", () => {
    const filesWith = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(join(project, file), "utf8")));
    expect(filesWith(/\bnew (?:pg\.)?(?:Pool|Client)\b/)).toEqual(["src/db/connection/connections.ts"]);
    // The other one names pg's class of errors.
    expect(filesWith(/^import (?!type\b)[^;]*from "pg(?:-pool)?"/m)).toEqual([
      "src/db/connection/connections.ts",
      "src/db/connection/failures.ts",
    ]);
    expect(filesWith(/\bnew (?:IO)?Redis\b/)).toEqual(["src/queue.ts"]);
  });

  it("a turn does git and calls executors through its doors: it imports only types and errors of them", () => {
    const ofValues = (file: string) =>
      [...readFileSync(join(project, file), "utf8").matchAll(/^import \{([^}]*)\} from "[^"]*\/agent\/(?:git|acp)\//gm)]
        .flatMap((match) => (match[1] ?? "").split(","))
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type "));
    const turns = files.filter((file) => file.startsWith("src/turns/") || file.startsWith("jobs/"));
    // Files that lie in a worktree or are read from a person's own repository before there is a turn.
    const allowed = [
      "GitError",
      "laySkills",
      "readCommitted",
      "specCheckSkills",
      "takeAgentJson",
      "takeAgentOutput",
      "writeAgentInput",
      "removeTree",
    ];
    expect([...new Set(turns.flatMap(ofValues))].filter((name) => !allowed.includes(name))).toEqual([]);
    expect(turns.flatMap(ofValues).filter((name) => name === "GitError").length).toBeGreaterThan(3);
  });

  it("one file writes the timeline, and reads what it says", () => {
    const filesWith = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(join(project, file), "utf8")));
    expect(filesWith(/insert\(timeline\)|insert into (?:\$\{timeline\}|cos\.timeline)/)).toEqual([
      "src/db/timeline.ts",
    ]);
    expect(filesWith(/from\(timeline\)/)).toEqual(["src/db/timeline.ts"]);
    // Names of events stand in SQL by `eventNames`, which the compiler reads.
    expect(filesWith(/event (?:=|in|like) \(?'/)).toEqual([]);
  });

  it("one file stores cards: everybody else marks whose may show something else", () => {
    const storing = files.filter((file) => readFileSync(join(project, file), "utf8").includes("putMessages("));
    expect(storing).toEqual(["src/db/wanted-messages.ts", "src/projection/project.ts"]);
  });

  it("core awaits nothing, reads no clock and makes no id", () => {
    const impure = files
      .filter((file) => file.startsWith("src/core/"))
      .filter((file) =>
        /\bawait\b|\bnew Date\(\)|Date\.now\(|randomUUID|Math\.random|process\./.test(
          readFileSync(join(project, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""),
        ),
      );
    expect(impure).toEqual([]);
  });

  it("only these read the environment", () => {
    const readers = files.filter((file) => readFileSync(join(project, file), "utf8").includes("process.env"));
    expect(readers.filter((file) => !file.startsWith("src/db/embedded/"))).toEqual([
      "src/agent/git/git.ts",
      "src/agent/process/environment.ts",
      "src/environment.ts",
    ]);
  });

  it("no folder says nothing, and nothing is exported by default", () => {
    const folders = new Set(files.flatMap((file) => dirname(file).split("/")));
    const empty = ["services", "repositories", "managers", "utils", "helpers", "common", "types"];
    expect(empty.filter((name) => folders.has(name))).toEqual([]);
    expect(files.filter((file) => /^export default/m.test(readFileSync(join(project, file), "utf8")))).toEqual([]);
  });
});
