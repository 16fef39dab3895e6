import { expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { misspelledSettings, unknownSettings } from "../../src/core/settings-names.ts";

/** Tokens that other programs call by a shorter name. */
function forgesOf(environment: Readonly<Record<string, string>>) {
  const read = parseConfig({ HOME: "/home/ana", ...environment });
  if (read.type === "invalid") throw new Error(read.problems.join("\n"));
  const { forges, secrets } = read.config;
  return { tokens: forges.map(({ provider, token }) => [provider, token]), secrets };
}

it.each([
  ["GITHUB_TOKEN", "github"],
  ["GITLAB_TOKEN", "gitlab"],
  ["GITEA_TOKEN", "gitea"],
])("%s is the token where ours is not set, and is as secret", (name, provider) => {
  const usual = forgesOf({ [name]: "usual-token-1" });
  expect(usual.tokens).toEqual([[provider, "usual-token-1"]]);
  expect(usual.secrets).toContain("usual-token-1");
  expect(forgesOf({ [name]: "usual-token-1", [`COS_${name}`]: "own-token-22" }).tokens).toEqual([
    [provider, "own-token-22"],
  ]);
});

it.each(["GITHUB_TOKEN", "GITLAB_TOKEN", "GITEA_TOKEN"])(
  "%s is not ours where it is for agents, or ours is set to nothing",
  (name) => {
    const found = { [name]: "usual-token-1" };
    const ofAgents = parseConfig({ HOME: "/home/ana", ...found, COS_AGENT_ENV: `OTHER, ${name}`, OTHER: "x" });
    expect(ofAgents).toMatchObject({ type: "ok", config: { forges: [], agentEnvironment: found } });
    expect(forgesOf({ ...found, [`COS_${name}`]: "" }).tokens).toEqual([]);
  },
);

it("a token of ours is given to no agent, whatever it is called", () => {
  const tokens = { COS_GITHUB_TOKEN: "own-token-22", GH_TOKEN: "own-token-22" };
  const read = parseConfig({ HOME: "/home/ana", ...tokens, COS_AGENT_ENV: "GH_TOKEN" });
  expect(read).toMatchObject({
    type: "invalid",
    problems: [expect.stringMatching(/^COS_AGENT_ENV: .*GH_TOKEN holds/)],
  });
});

it.each([
  ["DATABSE_URL", "DATABASE_URL"],
  ["SLACK_CHANEL", "SLACK_CHANNEL"],
  ["cos_roles", "COS_ROLES"],
  ["port", "PORT"],
])("%s in a file of settings was meant as %s", (name, meant) => {
  expect(misspelledSettings([name, "HOST", "POSTGRES_PASSWORD", "GITHUB_TOKEN", "SLACK_CHANNEL"], [])).toEqual([
    { name, meant },
  ]);
  expect(misspelledSettings([name], [name])).toEqual([]);
});

it("a name that begins as ours is named wherever it is set", () => {
  expect(unknownSettings(["COS_PARALEL", "COS_PARALLEL", "COS_RUN", "DATABSE_URL"])).toEqual([
    { name: "COS_PARALEL", meant: "COS_PARALLEL" },
  ]);
});

it("a variable for agents that is called as what every object has is not set", () => {
  expect(parseConfig({ HOME: "/home/ana", COS_AGENT_ENV: "constructor" })).toMatchObject({
    type: "invalid",
    problems: [expect.stringMatching(/^COS_AGENT_ENV: constructor is not set/)],
  });
});
