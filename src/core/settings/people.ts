import type { SettingGroup } from "./setting.ts";

/** Who may do what, and when. */
export const peopleSettings = [
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
