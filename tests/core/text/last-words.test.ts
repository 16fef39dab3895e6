import { describe, expect, it } from "vitest";
import { lastWords } from "../../../src/core/text/last-words.ts";

describe("the line that says how an output ended", () => {
  it.each([
    ["", ""],
    ["one\ntwo\n\n", "two"],
    [
      'npm error Missing script: "nope"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /x/debug-0.log\n',
      'npm error Missing script: "nope"',
    ],
    [
      "price is 41\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1\nnpm error path /w\nnpm error workspace shop@1.0.0\n",
      "price is 41",
    ],
    [
      "npm ERR! code ELIFECYCLE\nnpm ERR! A complete log of this run can be found in:",
      "npm ERR! A complete log of this run can be found in:",
    ],
    [
      "/w/a.js:1\nthrow new TypeError('no price')\n^\n\nTypeError: no price\n    at Object.<anonymous> (/w/a.js:1:7)\n    at node:internal/main/run_main_module:28:49\n\nNode.js v20.19.0\n",
      "TypeError: no price",
    ],
    ["Error [ERR_X]: gone\n    at a (b.js:1:1) {\n  code: 'ERR_X'\n}\n\nNode.js v22.1.0", "Error [ERR_X]: gone"],
    ['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no price\n', "ValueError: no price"],
    [
      "npm error code ENOENT\nnpm error syscall mkdir\nnpm error enoent Invalid response body: no such file\nnpm error enoent\nnpm notice\nnpm notice New minor version of npm available!\nnpm notice\nnpm error Log files were not written due to an error writing to the directory: /h/.npm/_logs\nnpm error You can rerun the command with `--loglevel=verbose` to see the logs in your terminal\n",
      "npm error enoent Invalid response body: no such file",
    ],
    ["price is 41\nnpm notice\nnpm notice New minor version of npm available!\n", "price is 41"],
    ["npm error is what this file is about\nall good", "all good"],
  ])("of %j", (output, words) => {
    expect(lastWords(output)).toBe(words);
  });
});
