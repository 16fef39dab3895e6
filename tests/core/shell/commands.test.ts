import { describe, expect, it } from "vitest";
import { commandsOf } from "../../../src/core/shell/commands.ts";

function wordsOf(line: string): string[] {
  return commandsOf(line).map(({ words, isFed }) => `${isFed ? "| " : ""}${words.map(({ value }) => value).join(" ")}`);
}

describe("the simple commands of a line", () => {
  it.each([
    ["CI=1 npm test 2>&1 | tail -5", ["npm test", "| tail -5"]],
    ["if (cd app && npm test); then echo ok; fi | head", ["cd app", "npm test", "echo ok", "| head"]],
    ["x=$(git rev-parse `pwd`); bash -c 'npm test'", ["git rev-parse `pwd`", "pwd", "bash -c npm test"]],
    ["python3 - <<'EOF'\nhead = 3\nEOF\nnpm t", ["python3 -", "npm t"]],
    ["cat > t.sh <<EOF\nnpm test\nEOF", ["cat"]],
    ["f() { npm test; }; f", ["npm test", "f"]],
    ["case $x in a) npm test;; esac", ["npm test"]],
    ["! time npm test &", ["npm test"]],
    ["for f in *.js; do node $f; done", ["node $f"]],
    ["cat a | { grep x; wc -l; }", ["cat a", "| grep x", "| wc -l"]],
    ["cat a | echo $(npm test)", ["cat a", "| echo $(npm test)", "npm test"]],
    ['echo "npm test; $(date)" # npm test', ["echo npm test; $(date)", "date"]],
    ["npm run build -- --x=1 \\\n  y", ["npm run build -- --x=1 y"]],
    ["cd app && \\\r\n  npm test\r\nif a; then\r\nls\r\nfi\r", ["cd app", "npm test", "a", "ls"]],
    ['& "C:\\Program Files\\npm.cmd" test', ["C:\\Program Files\\npm.cmd test"]],
    ["FOO=bar", []],
    ["", []],
  ])("%j", (line, expected) => {
    expect(wordsOf(line)).toEqual(expected);
  });

  it("are told of a line that does not end, as far as it could be read", () => {
    expect(wordsOf("npm test && (")).toEqual(["npm test"]);
    expect(wordsOf("bash -c 'a b' && echo don't && npm test")).toEqual(["bash -c a b", "echo don't", "npm test"]);
    expect(wordsOf('echo "${y:-don\'t}"; npm test').slice(1)).toEqual(["npm test"]);
    expect(wordsOf("echo $(don't)\nnpm test\nls `a")).toEqual(["echo $(don\\'t)", "don't", "npm test", "ls `a"]);
  });

  it("are none where blocks lie too deep within each other, or the line is far too long", () => {
    expect(wordsOf("f() ".repeat(5_000))).toEqual([]);
    expect(wordsOf("npm test;".repeat(3_000))).toEqual([]);
  });

  it("keep what is typed: variables, redirections, quotes", () => {
    expect(commandsOf("A=1 B='2 3' npm 'run x' > out.txt")).toEqual([
      {
        words: [
          { text: "npm", value: "npm" },
          { text: "'run x'", value: "run x" },
        ],
        variables: ["A=1", "B='2 3'"],
        files: ["out.txt"],
        input: null,
        isFed: false,
      },
    ]);
  });
});
