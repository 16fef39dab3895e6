import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Coding agents that other people wrote, as they are installed and pointed to a model server on loopback (docs/agents.md). */
export interface KnownAgent {
  readonly name: string;
  readonly packages: readonly string[];
  /** The program and its words, as they stand behind `acp:` or `command:`. */
  readonly line: string;
  /** Where its programs lie, below the folder where it is installed; omitted: where npm puts them. */
  readonly programs?: string;
  /** What COS_AGENT_ENV gives it. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** What is different of that in a room. */
  readonly inRoom?: Readonly<Record<string, string>>;
  /** Its settings below HOME, by path: JSON, or a text as it is. */
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
  /** How `cos agent test` finds that it says what it cost. */
  readonly tells: "cost" | "tokens" | "nothing";
  /** A program without a protocol: nobody is asked, and each turn is a session of its own. */
  readonly isCommand?: true;
  /** It refuses a HOME below the temporary folder. */
  readonly homeIsNotTemporary?: true;
  /** It tells neither what its todos are nor how a command ended. */
  readonly tellsLittle?: true;
  /** It loses a session that is asked for in the minute, by the clock, in which that session began. */
  readonly losesYoungSessions?: true;
}

const key = "sk-of-the-model-server-0123";

export const opencode: KnownAgent = {
  name: "opencode",
  packages: ["opencode-ai@1.18.33"],
  // Its launcher is made by an install script; the program itself lies in the package of the platform.
  programs: `node_modules/opencode-linux-${process.arch}/bin`,
  line: "opencode acp",
  environment: () => ({
    MODEL_KEY: key,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
  }),
  settings: (url) => ({
    ".config/opencode/opencode.json": {
      $schema: "https://opencode.ai/config.json",
      autoupdate: false,
      share: "disabled",
      model: "local/scripted",
      small_model: "local/scripted",
      permission: { bash: "ask" },
      provider: {
        local: {
          npm: "@ai-sdk/openai-compatible",
          name: "Local",
          options: { baseURL: `${url}/v1`, apiKey: "{env:MODEL_KEY}" },
          models: {
            scripted: { name: "Scripted", cost: { input: 3, output: 15 }, limit: { context: 100_000, output: 8_000 } },
          },
        },
      },
    },
  }),
  tells: "cost",
};

export const qwen: KnownAgent = {
  name: "qwen-code",
  packages: ["@qwen-code/qwen-code@0.24.4"],
  line: "qwen --acp",
  environment: (url) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  settings: () => ({
    ".qwen/settings.json": {
      security: { auth: { selectedType: "openai" } },
      model: { name: "scripted" },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      ui: { enableFollowupSuggestions: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      // Without it there is no plan.
      tools: { todoWrite: { enabled: true } },
    },
  }),
  tells: "tokens",
};

export const gemini: KnownAgent = {
  name: "gemini-cli",
  packages: ["@google/gemini-cli@0.61.0"],
  line: "gemini --acp",
  environment: (url) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
  settings: () => ({
    ".gemini/settings.json": {
      security: { auth: { selectedType: "gemini-api-key" } },
      model: { name: "gemini-2.5-pro" },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
  }),
  tells: "tokens",
  tellsLittle: true,
  // It names the file of a session by the minute, and opens that file anew before it looks for the session.
  losesYoungSessions: true,
};

export const claude: KnownAgent = {
  name: "claude",
  packages: ["@zed-industries/claude-agent-acp@0.23.1"],
  line: "claude-agent-acp",
  environment: (url) => ({
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Ten times and three minutes otherwise, also for a key that is refused.
    CLAUDE_CODE_MAX_RETRIES: "2",
  }),
  settings: () => ({ ".claude/settings.json": {} }),
  tells: "cost",
};

export const codex: KnownAgent = {
  name: "codex",
  packages: ["@agentclientprotocol/codex-acp@2.6.0"],
  line: "codex-acp",
  homeIsNotTemporary: true,
  // In its usual mode, "agent", a model of its own answers what it asks.
  environment: () => ({ MODEL_KEY: key, NO_BROWSER: "1", INITIAL_AGENT_MODE: "workspace-write" }),
  // Its own sandbox cannot be made inside of a room.
  inRoom: { INITIAL_AGENT_MODE: "agent-full-access" },
  settings: (url) => ({
    ".codex/config.toml": [
      'model = "scripted"',
      'model_provider = "local"',
      "[model_providers.local]",
      'name = "Local"',
      `base_url = "${url}/v1"`,
      'env_key = "MODEL_KEY"',
      'wire_api = "responses"',
      // Without it there is no plan.
      "[tools.update_plan]",
      "enabled = true",
      "",
    ].join("\n"),
  }),
  tells: "tokens",
};

export const pi: KnownAgent = {
  name: "pi",
  packages: ["@mariozechner/pi-coding-agent@0.73.1"],
  line: "pi -p",
  environment: () => ({ MODEL_KEY: key, PI_OFFLINE: "1" }),
  settings: (url) => ({
    ".pi/agent/settings.json": { defaultProvider: "local", defaultModel: "scripted" },
    ".pi/agent/models.json": {
      providers: {
        local: { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "MODEL_KEY", models: [{ id: "scripted" }] },
      },
    },
  }),
  tells: "nothing",
  isCommand: true,
};

export const knownAgents: readonly KnownAgent[] = [opencode, qwen, gemini, claude, codex, pi];

/** Those whose walks take the least time. */
export const quickAgents: readonly KnownAgent[] = [qwen, claude];

/** The line that starts it, by the kind of agent it is. Its programs are on PATH, or lie in `folder`. */
export function lineOf({ isCommand, line }: KnownAgent, folder?: string): string {
  return `${isCommand === true ? "command" : "acp"}:${folder === undefined ? line : join(folder, line)}`;
}

/** "qwen-code 0.24.4": as the table says it. */
export function titleOf({ name, packages }: KnownAgent): string {
  return `${name} ${packages[0]?.split("@").at(-1) ?? ""}`;
}

/** Writes an agent's settings into a HOME of its own. */
export function settle(home: string, settings: Readonly<Record<string, unknown>>): void {
  for (const [path, value] of Object.entries(settings)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value, null, 2));
  }
}
