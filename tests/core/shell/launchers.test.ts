import { describe, expect, it } from "vitest";
import { startedBy, stepsOf } from "../../../src/core/shell/launchers.ts";

function started(line: string, ...given: Parameters<typeof startedBy> extends [unknown, ...infer Rest] ? Rest : never) {
  return startedBy(line.split(" "), ...given).join(" ");
}

describe("what a program that starts another one starts", () => {
  it.each([
    ["npm test", "npm test"],
    ["env CI=1 timeout -k 5 60 npm test", "npm test"],
    ["A=1 sudo -u ci --preserve-env /usr/bin/nice -n 5 pytest -q", "pytest -q"],
    ["nice -10 stdbuf -oL -e 0 make", "make"],
    ["exec -a x setsid nohup node a.js", "node a.js"],
    ["command npm test", "npm test"],
    ["npx --package vitest -- vitest run", "vitest run"],
    ["pnpm -C app exec jest", "jest"],
    ["uv run --with x pytest", "pytest"],
    ["flock -w 5 /tmp/lock npm test", "npm test"],
    // They start nothing.
    ["command -v npm", "command -v npm"],
    ["sudo -l", "sudo -l"],
    ["npm run exec", "npm run exec"],
    ["hatch run pytest", "pytest"],
    ["hatch run +py=3 test:unit", "hatch run +py=3 test:unit"],
    ["./time npm test", "./time npm test"],
    ["echo env npm test", "echo env npm test"],
    ["timeout 60", ""],
    ["exec", ""],
    ["", ""],
  ])("%j: %j", (line, expected) => {
    expect(started(line)).toBe(expected);
  });

  it("is told of the launchers that are asked for", () => {
    expect(started("env npx jest", ["machine"])).toBe("npx jest");
    expect(started("xargs -n 1 env npx jest")).toBe("xargs -n 1 env npx jest");
    expect(started("xargs -n 1 env npx jest", ["machine", "packages", "input"])).toBe("jest");
  });

  it("is told launcher by launcher", () => {
    const steps = stepsOf("CI=1 xargs -n 1 uv run npx jest a".split(" ")).map((words) => words.join(" "));
    expect(steps).toEqual(["xargs -n 1 uv run npx jest a", "uv run npx jest a", "npx jest a", "jest a"]);
  });
});
