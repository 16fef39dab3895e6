import { describe, expect, it } from "vitest";
import {
  type KnownWorker,
  type Lack,
  lackOf,
  leftToOthers,
  untakenAdvice,
  untakenBy,
  untakenWords,
} from "../../src/core/lacks.ts";

const noPath: Lack = {
  repositoryId: "repo-1",
  what: "repository",
  reason: "there is no /srv/shop",
  next: "put it there",
};
const noProgram: Lack = { repositoryId: "repo-1", what: "agent", reason: "claude was not found", next: "install it" };
const noAgent: Lack = { repositoryId: "repo-1", what: "no-agent", reason: "no agent is configured", next: "set one" };

const worker = (machine: string, lacks: readonly Lack[] = [], others: Partial<KnownWorker> = {}): KnownWorker => ({
  machine,
  labels: [],
  lacks,
  isRunning: true,
  ...others,
});
const ended = { isRunning: false };
const needs = { repositoryId: "repo-1", labels: [], agent: true };

describe("what a worker leaves to others [F-605]", () => {
  it.each([
    ["nothing where it is the only one", [noPath, noProgram], [], [], []],
    ["what it cannot reach, whatever others can", [noPath], [worker("b", [noPath])], ["repo-1"], []],
    ["what needs an agent that it does not have", [noProgram], [worker("b")], [], ["repo-1"]],
    ["goals without any agent, where another one has one", [noAgent], [worker("b")], [], ["repo-1"]],
    ["nothing for want of an agent that nobody has", [noAgent], [worker("b", [noAgent])], [], []],
    ["to one that ended lately, too", [noPath], [worker("b", [], ended)], ["repo-1"], []],
  ] as const)("%s", (_, lacks, others, repositories, ofAgents) => {
    expect(leftToOthers(lacks, others)).toEqual({ repositories, ofAgents });
  });

  it("a goal with a command of its own needs no agent", () => {
    expect(lackOf([noProgram], { ...needs, agent: false })).toBeNull();
    expect(lackOf([noProgram], needs)).toEqual(noProgram);
    expect(lackOf([noPath], { ...needs, agent: false })).toEqual(noPath);
    expect(lackOf([noPath], { ...needs, repositoryId: "repo-2" })).toBeNull();
  });
});

describe("a goal that no worker takes [F-605]", () => {
  it.each([
    ["one can", [worker("a", [noPath]), worker("b")]],
    ["none runs: nothing is known", [worker("a", [noPath], ended)]],
    ["nobody has an agent: that is a person's", [worker("a", [noAgent]), worker("b", [noAgent])]],
  ] as const)("is none while %s", (_, workers) => {
    expect(untakenBy(needs, workers)).toBeNull();
  });

  it("is said with what is missing, where, and what to do", () => {
    const untaken = untakenBy(needs, [worker("a", [noPath]), worker("a", [noPath]), worker("b", [noProgram])]);
    if (untaken === null) throw new Error("it is taken");

    expect(untakenWords(untaken)).toBe(
      "no worker that runs can work it: on a, there is no /srv/shop; on b, claude was not found",
    );
    expect(untakenAdvice(untaken)).toBe("put it there");
  });

  it("names the machine that could, and does not run", () => {
    const untaken = untakenBy(needs, [worker("a", [noAgent]), worker("b", [], ended)]);
    if (untaken === null) throw new Error("it is taken");

    expect(untakenWords(untaken)).toBe(
      "no worker that runs can work it: on a, no agent is configured; b could, and no worker runs there",
    );
    expect(untakenAdvice(untaken)).toBe("start the worker on b");
  });

  it("is first of all one that nobody has the labels for; who has them not is not asked what it lacks", () => {
    const labelled = { ...needs, labels: ["gpu"] };
    const able = worker("b", [noPath], { labels: ["gpu"] });

    expect(untakenBy(labelled, [worker("a")])).toEqual({ type: "labels", labels: ["gpu"] });
    expect(untakenBy(labelled, [worker("a"), able])).toMatchObject({ machines: [{ machine: "b" }] });
  });

  it("names three machines, and how many more there are", () => {
    const untaken = untakenBy(
      needs,
      ["a", "b", "c", "d", "e"].map((machine) => worker(machine, [noPath])),
    );
    if (untaken === null) throw new Error("it is taken");

    expect(untakenWords(untaken)).toMatch(/on c, there is no \/srv\/shop; and 2 machines more$/);
  });
});
