import type { SettingGroup } from "./setting.ts";

/** Pull requests at forges. */
export const forgeSettings = [
  {
    title: "Pull requests",
    settings: [
      {
        name: "COS_GITHUB_TOKEN",
        alsoCalled: "GITHUB_TOKEN",
        usual: "no pull requests there",
        example: "",
        about:
          "Opens and updates pull requests of repositories at GitHub (docs/pull-requests.md). `GITHUB_TOKEN` is read where it is not set and COS_AGENT_ENV does not give that to agents; `COS_GITHUB_TOKEN=`, set to nothing, means none.",
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
        alsoCalled: "GITLAB_TOKEN",
        usual: "no merge requests there",
        example: "",
        about: "The same for merge requests at GitLab; `GITLAB_TOKEN`.",
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
        alsoCalled: "GITEA_TOKEN",
        usual: "no pull requests there",
        example: "",
        about: "The same at a Gitea or Forgejo server; `GITEA_TOKEN`.",
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
] as const satisfies readonly SettingGroup[];
