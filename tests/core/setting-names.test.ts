import { expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";

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
