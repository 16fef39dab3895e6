/**
 * Every setting, once: `.env.example` and docs/configuration.md are written from this table, and what is read of the environment
 * is named here or does not compile. Checked in `src/config.ts`, which says what is expected of a wrong value.
 */
interface Setting {
  readonly name: string;
  /** What holds where it is not set, in words; null: nothing does. */
  readonly usual: string | null;
  /** A value as it could stand in `.env`; empty for one that nobody can guess. */
  readonly example: string;
  /** Plain sentences. */
  readonly about: string;
  /** Never shown, also where it is wrong. */
  readonly isSecret?: true;
  /** `cos init` asks for it by itself; others only where they are named. */
  readonly isAsked?: true;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

export const settingGroups = [
  {
    title: "Where things are",
    settings: [
      {
        name: "COS_DATA_DIR",
        usual: ".data beside .env",
        example: "/var/lib/cos",
        about: "Where state lies on disk: the embedded database, mirrors, worktrees, kept output.",
      },
      {
        name: "DATABASE_URL",
        usual: "an embedded PostgreSQL",
        example: "postgresql://user:password@127.0.0.1:5432/cos",
        about: "PostgreSQL 15 or newer to use instead of the embedded one.",
        isSecret: true,
      },
      {
        name: "PGPASSWORD",
        usual: null,
        example: "",
        about: "The database's password, where DATABASE_URL has none.",
        isSecret: true,
      },
      {
        name: "REDIS_URL",
        usual: "the queue is in PostgreSQL",
        example: "redis://127.0.0.1:6379",
        about: "Run the queue on Redis or Valkey.",
        isSecret: true,
      },
      {
        name: "COS_STORE_URL",
        usual: "kept output stays on the machine that made it",
        example: "https://s3.example.com/cos?region=eu-central-1",
        about:
          "Several machines: where kept output goes too, so that every console shows it. postgres, or a bucket of an S3-compatible store.",
      },
      {
        name: "COS_STORE_KEY",
        usual: null,
        example: "",
        about: "The access key of that bucket.",
        isSecret: true,
      },
      {
        name: "COS_STORE_SECRET",
        usual: null,
        example: "",
        about: "The secret key of that bucket.",
        isSecret: true,
      },
      {
        name: "COS_MIN_FREE_MB",
        usual: "500",
        example: "500",
        about: "Below this many MB free (data directory, the embedded database's place) no goal starts; 0: never mind.",
      },
    ],
  },
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
          "allow: local processes that cannot be told from agents (cron, services) may change things too (docs/trust.md). Set it in .env or for the bot.",
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
  {
    title: "Pull requests",
    settings: [
      {
        name: "COS_GITHUB_TOKEN",
        usual: "no pull requests there",
        example: "",
        about: "Opens and updates pull requests of repositories at GitHub (docs/pull-requests.md).",
        isSecret: true,
      },
      {
        name: "COS_GITHUB_URL",
        usual: "https://github.com",
        example: "https://github.example.org",
        about: "Where GitHub is, where it is a company's own server.",
      },
      {
        name: "COS_GITLAB_TOKEN",
        usual: "no merge requests there",
        example: "",
        about: "The same for merge requests at GitLab.",
        isSecret: true,
      },
      {
        name: "COS_GITLAB_URL",
        usual: "https://gitlab.com",
        example: "https://gitlab.example.org",
        about: "Where GitLab is.",
      },
      {
        name: "COS_GITEA_TOKEN",
        usual: "no pull requests there",
        example: "",
        about: "The same at a Gitea or Forgejo server.",
        isSecret: true,
      },
      {
        name: "COS_GITEA_URL",
        usual: "https://codeberg.org",
        example: "https://git.example.org",
        about: "Where Gitea or Forgejo is.",
      },
      {
        name: "COS_CONSOLE_URL",
        usual: "pull requests name the goal without a link",
        example: "https://cos.example.org",
        about: "Where people open the console, behind a proxy for example; pull requests link to it.",
      },
    ],
  },
  {
    title: "Isolation",
    settings: [
      {
        name: "COS_ISOLATION",
        usual: "auto",
        example: "required",
        about:
          "What keeps commands apart (docs/isolation.md): auto (use bubblewrap and slirp4netns where they work), off, or required (else do not start).",
      },
      {
        name: "COS_WRITABLE",
        usual: "none",
        example: "/srv/cache",
        about: 'Folders that goals and what verifies them may write to beside their own places, separated by ":".',
      },
      {
        name: "COS_AGENT_NETWORK",
        usual: "everything but this machine",
        example: "localhost:11434",
        about:
          "Ports of this machine that isolated agents and setup may reach, such as a model server's. With hosts beside them (api.example.com:443) the list is the whole table of what they reach.",
      },
    ],
  },
  {
    title: "Agents",
    settings: [
      {
        name: "COS_AGENT",
        usual: "goals without --run are left to a person",
        example: "acp:gemini --acp",
        about:
          "Who works: acp: and an agent that speaks the Agent Client Protocol on stdio, or command: and any program that reads the prompt on stdin and in the file $COS_PROMPT_FILE (docs/agents.md).",
        isAsked: true,
      },
      {
        name: "COS_AGENT_ENV",
        usual: "none",
        example: "OPENAI_API_KEY,OPENAI_BASE_URL",
        about:
          "What agents are given of this file's or the environment's variables, by name; masked wherever they would be shown.",
        isAsked: true,
      },
      {
        name: "COS_AGENT_PRICE",
        usual: "the table of models",
        example: "3/15",
        about:
          "What a million tokens cost (USD, input/output) of an agent that tells tokens and no cost, where the table does not know its model.",
      },
      {
        name: "COS_AGENT_START_SECONDS",
        usual: "120",
        example: "120",
        about: "How long an agent may take to begin.",
      },
      { name: "COS_AGENT_MINUTES", usual: "60", example: "60", about: "How long an agent may work in one go." },
      {
        name: "COS_AGENT_SILENCE_MINUTES",
        usual: "15",
        example: "15",
        about: "How long an agent may print nothing at all.",
      },
      {
        name: "COS_REPO",
        usual: "the only one; in the terminal the one whose folder you are in, else the one that you used last",
        example: "shop",
        about: "The repository that goals work on when none is named (its name in `cos repo list`).",
      },
      {
        name: "COS_SKILLS_DIR",
        usual: "skills in this folder",
        example: "/srv/skills",
        about: "Skills that checks of tasks are given, with a registry.yaml (docs/tasks.md).",
      },
    ],
  },
  {
    title: "A model of the bot's own",
    settings: [
      {
        name: "COS_MODEL",
        usual: "built-in rules, which say that they are",
        example: "gpt-5.2",
        about:
          "A model behind an OpenAI-compatible address: it thinks of alternatives when a goal is stuck, reads replies in prose and plans campaigns. Without one campaigns need an outline.",
      },
      {
        name: "COS_MODEL_URL",
        usual: null,
        example: "https://api.openai.com/v1",
        about: "The address of that model.",
      },
      {
        name: "COS_MODEL_KEY",
        usual: null,
        example: "",
        about: "Its key, where the address asks for one.",
        isSecret: true,
      },
      {
        name: "COS_MODEL_PRICE",
        usual: "the table of models",
        example: "3/15",
        about: "Its price (USD for a million tokens, input/output), where the table does not know it.",
      },
      {
        name: "COS_CRITICS",
        usual: "rules",
        example: "model",
        about:
          "Who looks at agents' work before it counts (docs/critics.md): rules (built in), model (COS_MODEL too), off.",
      },
    ],
  },
  {
    title: "Money",
    settings: [
      {
        name: "COS_BUDGET_GOAL_USD",
        usual: "5",
        example: "5",
        about: "A goal's ceiling in US dollars, which stops the work.",
      },
      { name: "COS_BUDGET_SESSION_USD", usual: "15", example: "15", about: "A session's ceiling." },
      { name: "COS_BUDGET_DAY_USD", usual: "30", example: "30", about: "A calendar day's ceiling." },
    ],
  },
  {
    title: "Slack",
    settings: [
      {
        name: "SLACK_BOT_TOKEN",
        usual: "Slack is not used",
        example: "xoxb-",
        about: "The bot token of the installed app (README, Slack).",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "SLACK_APP_TOKEN",
        usual: null,
        example: "xapp-",
        about: "The app-level token, for Socket Mode.",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "SLACK_SIGNING_SECRET",
        usual: null,
        example: "",
        about: "For HTTP instead of Socket Mode (docs/slack.md).",
        isSecret: true,
      },
      { name: "SLACK_PORT", usual: "3001", example: "3001", about: "Where signed requests of Slack are taken." },
      {
        name: "SLACK_CHANNEL",
        usual: null,
        example: "C0123ABCD",
        about: "Where cards go: the channel's id, or #name.",
        isAsked: true,
      },
      {
        name: "SLACK_API_URL",
        usual: "Slack's own",
        example: "",
        about: "Another API root, such as a test server's.",
      },
    ],
  },
  {
    title: "Discord",
    settings: [
      {
        name: "DISCORD_TOKEN",
        usual: "Discord is not used",
        example: "",
        about: "The bot's token (docs/discord.md).",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "DISCORD_GUILD_ID",
        usual: null,
        example: "123456789012345678",
        about: "The server's id.",
        isAsked: true,
      },
      {
        name: "DISCORD_CHANNEL_ID",
        usual: null,
        example: "123456789012345678",
        about: "The id of the channel where cards go.",
        isAsked: true,
      },
      {
        name: "DISCORD_API_URL",
        usual: "Discord's own",
        example: "",
        about: "Another API root, such as a test server's.",
      },
    ],
  },
  {
    title: "People",
    settings: [
      {
        name: "COS_APPROVERS",
        usual: "nobody",
        example: "slack:U0123ABCD,discord:123456789012345678,discord:@123456789012345679",
        about:
          "Who may decide in chat, by user id or (Discord) role id, separated by commas. Nobody else may change anything there.",
        isAsked: true,
      },
      {
        name: "COS_PEOPLE",
        usual: "each account is a person",
        example: "ana=slack:U0123ABCD+discord:123456789012345678+console;ben=slack:U0123ABCE+console:ben",
        about:
          "Which accounts are one person, by a name that the audit trail uses (docs/chats.md). console: whoever is at the terminal or has the console's token; console:ben: the console's session of that name.",
      },
      {
        name: "COS_QUORUM",
        usual: "one person",
        example: "architecture=2;cost=2 of ana,slack:S0123ABCD,discord:@123456789012345679 without requester",
        about:
          "How many people must agree before work goes on, by what is asked about (docs/chats.md). Skip needs one.",
      },
      {
        name: "COS_MIRRORS",
        usual: "everywhere",
        example: "cost=slack,discord;ux=discord",
        about:
          "Where questions are shown, by what they are about (docs/chats.md): cost, ux, architecture, scope, hiccup, other.",
      },
      {
        name: "COS_ON_DUTY",
        usual: "the approvers",
        example: "Mon-Fri=slack:U0123ABCD;Sat,Sun=slack:S0123ABCD",
        about:
          "Who is mentioned when something asks (docs/chats.md): ids, a group, names of COS_PEOPLE, or a rota by weekday.",
      },
      {
        name: "COS_SECOND",
        usual: "nobody",
        example: "slack:U0123ABCE",
        about: "Who is named as well when an escalation stays open for 30 minutes, by user id.",
      },
    ],
  },
  {
    title: "Time",
    settings: [
      {
        name: "COS_TIMEZONE",
        usual: "the machine's",
        example: "Europe/Berlin",
        about: "Days, weeks and schedules are counted in this zone.",
      },
      {
        name: "COS_QUIET_HOURS",
        usual: "none",
        example: "22:00-07:00",
        about:
          "In these hours nothing new that wants a person is posted to chat, and the 30 minutes do not run. In COS_TIMEZONE.",
      },
      {
        name: "COS_WORKING_DAYS",
        usual: "Mon-Fri",
        example: "Mon-Fri",
        about: "Days of the week on which people work.",
      },
    ],
  },
  {
    title: "The gate of `cos done`",
    settings: [
      {
        name: "IMPLEMENT_MAX_BLOCKS",
        usual: "5",
        example: "5",
        about: "How often in a row an agent's stop may be refused by `cos stop-hook` (docs/done.md).",
      },
      {
        name: "COS_FAILURES_BEFORE_ESCALATION",
        usual: "3",
        example: "3",
        about:
          "Verification runs in a row in which a criterion must have failed before `cos done --escalate` is accepted about it.",
      },
    ],
  },
] as const satisfies readonly SettingGroup[];

export type SettingName = (typeof settingGroups)[number]["settings"][number]["name"];

/** Those whose values are never shown. */
export const secretSettings: readonly SettingName[] = settingGroups.flatMap((group) =>
  (group.settings as readonly (Setting & { readonly name: SettingName })[]).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name] : [],
  ),
);

export interface SettingToAsk {
  readonly name: SettingName;
  readonly about: string;
  readonly usual: string | null;
  readonly isSecret: boolean;
  readonly isAsked: boolean;
}

/** The table as `cos init` goes through it. */
export const groupsToAsk: readonly { readonly title: string; readonly settings: readonly SettingToAsk[] }[] =
  settingGroups.map(({ title, settings }) => ({
    title,
    settings: (settings as readonly (Setting & { readonly name: SettingName })[]).map((each) => ({
      name: each.name,
      about: each.about,
      usual: each.usual,
      isSecret: each.isSecret === true,
      isAsked: each.isAsked === true,
    })),
  }));
