import { describe, expect, it } from "vitest";
import { startedIn } from "../../../src/core/shell/started.ts";

function startedOf(...given: Parameters<typeof startedIn>): string[] {
  return startedIn(...given).map(({ words, isFed }) => `${isFed ? "| " : ""}${words.join(" ")}`);
}

describe("what a line starts", () => {
  it.each<[string, string[]]>([
    ["CI=1 timeout 60 npm test 2>&1 | tail", ["npm test", "| tail"]],
    ["sudo -u ci bash -lc 'cd app && npm test | tail'; ls", ["cd app", "npm test", "| tail", "ls"]],
    ["ls | xargs -n 1 grep a", ["ls", "grep a"]],
    ["find . -exec bash -c 'npm test' \\;", ["find . -exec bash -c npm test ;", "npm test"]],
    ["flock /tmp/lock -c 'npm test'", ["npm test"]],
    ["eval npm test '&&' ls", ["npm test", "ls"]],
    ["cmd /c echo 'a && b'", ["echo a && b"]],
    ["bash run.sh -c 'npm test'", ["bash run.sh -c npm test"]],
    ["bash -s <<'END'\nnpm test\nEND", ["npm test"]],
    ["bash -s -- one <<'END'\nnpm test\nEND", ["npm test"]],
    ["bash -euo pipefail <<'END'\nnpm test\nEND", ["npm test"]],
    ["sh /dev/stdin <<'END'\nnpm test\nEND", ["npm test"]],
    ["bash run.sh <<'END'\nnpm test\nEND", ["| bash run.sh"]],
    ["cat <<'END' | bash\nnpm test\nEND", ["| cat", "npm test"]],
    ["npm exec -c 'cd app && npm test'", ["cd app", "npm test"]],
    ["npx -p jest -c 'jest a'; npx jest -c 'a b'", ["jest a", "jest -c a b"]],
    ["npm test -- -c 'a b'", ["npm test -- -c a b"]],
    ["npx start-server-and-test start http://localhost:1 'jest a'", ["start", "jest a"]],
    ["concurrently -k -n a,b 'npm start' \"vitest && ls\"", ["npm start", "vitest", "ls"]],
    ["firebase emulators:exec --only auth 'npm test'; firebase deploy 'a b'", ["npm test", "firebase deploy a b"]],
    ["hyperfine -w 3 'npm test' 'jest a'", ["npm test", "jest a"]],
    ["nodemon -w src --exec 'npm test'", ["npm test"]],
    ["watch -n 5 'npm test; ls'; watch npm test", ["npm test", "ls", "npm test"]],
    ["parallel 'node {}' ::: a.js", ["node {} a.js"]],
    ["cat <<END\nnpm test\nEND", ["| cat"]],
    ['$(PYTHON) -m pytest; "$(which npm)" test; $a b', ["python -m pytest", "PYTHON", "npm test", "which npm", "$a b"]],
    ["\t-npm test", ["npm test"]],
    [".\\gradlew.bat test", [".\\gradlew.bat test"]],
    ["docker exec web npm test", ["docker exec web npm test"]],
    ["ssh host 'npm test'", ["ssh host npm test"]],
  ])("%j: %j", (line, expected) => {
    expect(startedOf(line)).toEqual(expected);
  });

  it("in containers and on other hosts is told where it is asked for", () => {
    expect(startedOf("docker exec web sh -c 'npm test'; ssh host ls", "anywhere")).toEqual(["npm test", "ls"]);
    expect(startedOf("docker exec -i web bash -s <<END\nnpm test\nEND", "anywhere")).toEqual(["npm test"]);
    expect(startedOf("ssh host bash -s <<END\nnpm test\nEND", "anywhere")).toEqual(["npm test"]);
  });

  it("is read three lines deep, and of a long text line by line", () => {
    expect(startedOf(`${"eval ".repeat(3)}ls`)).toEqual(["ls"]);
    expect(startedOf(`${"eval ".repeat(4)}ls`)).toEqual([]);
    expect(startedOf(`${"# a\n".repeat(10_000)}ls`)).toEqual(["ls"]);
  });
});
