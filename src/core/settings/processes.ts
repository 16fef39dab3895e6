import type { SettingGroup } from "./setting.ts";

/** Names, ports and output of processes. */
export const processSettings = [
  {
    title: "Processes and the console",
    settings: [
      {
        name: "COS_ROLES",
        usual: "bot,worker",
        example: "worker",
        about: "What this process does: bot (console, cards), worker (goals), or both.",
      },
      {
        name: "COS_LABELS",
        usual: "none",
        example: "gpu,mac",
        about: "What this worker can do: it alone works goals of repositories that ask for it (`repo add --label`).",
      },
      { name: "COS_PARALLEL", usual: "1", example: "2", about: "How many goals one process works at once." },
      { name: "COS_HOST", usual: "127.0.0.1", example: "127.0.0.1", about: "Where the console listens." },
      {
        name: "PORT",
        usual: "3000",
        example: "3000",
        about: "The console's port; set for a worker alone, where it serves /healthz and /metrics.",
      },
      {
        name: "COS_CONSOLE_TOKEN",
        usual: "made once and kept in the data directory",
        example: "",
        about: "The console's token: 16 to 200 letters, digits, - or _.",
        isSecret: true,
      },
      {
        name: "COS_UNKNOWN_CALLERS",
        usual: "refuse",
        example: "allow",
        about:
          "allow: local processes that cannot be distinguished from agents (cron, services) may change things too (docs/trust.md). Set it in .env or for the bot.",
      },
      {
        name: "COS_LOG_LEVEL",
        usual: "info",
        example: "warn",
        about: "debug, info, warn, error or silent; events go to stderr as JSON lines.",
      },
      {
        name: "COS_WEBHOOK_URL",
        usual: null,
        example: "http://127.0.0.1:8080",
        about: "Cards are also posted to this address as JSON (docs/operating.md, Cards over HTTP).",
      },
    ],
  },
] as const satisfies readonly SettingGroup[];
