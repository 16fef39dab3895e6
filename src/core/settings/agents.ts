import type { SettingGroup } from "./setting.ts";

/** Agents, their isolation, and their budgets. */
export const agentSettings = [
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
          "Who works: acp: and an agent that speaks the Agent Client Protocol on stdio, or command: and any program that reads the prompt on stdin and in the file $COS_PROMPT_FILE (docs/agents.md). Its program is a name in PATH or a whole path, and a script behind it (node /opt/agent.js) a whole path: it starts in folders of its goals.",
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
        about:
          "The least that a goal's ceiling is, in US dollars; the ceiling stops the work. It is 1.5 times the goal's estimate (`--cost`) where that is more, or what a person sets (`--budget`).",
      },
      { name: "COS_BUDGET_SESSION_USD", usual: "15", example: "15", about: "A session's ceiling." },
      { name: "COS_BUDGET_DAY_USD", usual: "30", example: "30", about: "A calendar day's ceiling." },
    ],
  },
] as const satisfies readonly SettingGroup[];
