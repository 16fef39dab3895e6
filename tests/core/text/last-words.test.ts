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
    // pnpm, where its store cannot be written.
    [
      " EROFS  EROFS: read-only file system, symlink 'a' -> 'b'\n\npnpm: EROFS: read-only file system, symlink 'a' -> 'b'\n    at async Object.symlink (node:internal/fs/promises:997:10)\n    at async /opt/pnpm/dist/pnpm.cjs:214228:23\n    at async runPnpm (/opt/pnpm/dist/pnpm.cjs:214551:5)\n",
      "pnpm: EROFS: read-only file system, symlink 'a' -> 'b'",
    ],
    [
      ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"\n\nNote that in CI environments this setting is true by default.\n\n  Failure reason:\n  - is-odd (lockfile: 3.0.1, manifest: 3.0.0)\n\n',
      'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
    ],
    [" ERROR  ENOENT: no such file\nFor help, run: pnpm help install\n", "ERROR  ENOENT: no such file"],
    ["ERR_PNPM_X  long ago\n".concat("more\n".repeat(20)), "more"],
    [
      "Error: 1234\n    at [eval]:1:7\n    at node:internal/main/eval_string:51:3\n\nNode.js v20.20.2\n ELIFECYCLE  Command failed with exit code 1.\n",
      "Error: 1234",
    ],
    ["no price\n ELIFECYCLE  Command failed with exit code 3.\n WARN   node_modules missing\n", "no price"],
    [" ELIFECYCLE  Command failed with exit code 3.\n", "ELIFECYCLE  Command failed with exit code 3."],
    [
      "$ ./build\nno price\nerror Command failed with exit code 4.\ninfo Visit https://yarnpkg.com/en/docs\n",
      "no price",
    ],
    [
      "error Your lockfile needs to be updated.\ninfo Visit https://yarnpkg.com/en/docs\n",
      "error Your lockfile needs to be updated.",
    ],
    ["hello\nbad thing\nmake[1]: *** [Makefile:2: a] Error 3\nmake: *** [Makefile:9: all] Error 2\n", "bad thing"],
    ["make: *** No rule to make target 'build'.  Stop.\n", "make: *** No rule to make target 'build'.  Stop."],
    [
      "error: subprocess-exited-with-error\n\n× pip subprocess to install build dependencies did not run successfully.\n│ exit code: 1\n╰─> See above for output.\n\nnote: This error originates from a subprocess, and is likely not a problem with pip.\n",
      "× pip subprocess to install build dependencies did not run successfully.",
    ],
    [
      "Error: bad\n    at [eval]:1:15\n    ... 4 lines matching cause stack trace ...\n    at node:internal/main/eval_string:51:3 {\n  [cause]: Error: why it was\n      at [eval]:1:40\n      at node:internal/main/eval_string:51:3\n}\n",
      "Error: bad",
    ],
    [
      'Exception in thread "main" java.lang.IllegalStateException: no price\n\tat shop.Main.main(Main.java:5)\nCaused by: java.lang.RuntimeException: no\n\tat shop.Main.a(Main.java:9)\n\t... 1 more\n',
      "Caused by: java.lang.RuntimeException: no",
    ],
    [
      'npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.\nnpm error\nnpm error Missing: a@1.0.0 from lock file\nnpm error\nnpm error Clean install a project\nnpm error\nnpm error Usage:\nnpm error npm ci\nnpm error\nnpm error Options:\nnpm error [--omit <dev>]\nnpm error\nnpm error   --omit\nnpm error     Dependency types to omit.\nnpm error\nnpm error Run "npm help ci" for more info\nnpm notice\nnpm notice New minor version of npm available!\nnpm error A complete log of this run can be found in: /h/debug-0.log\n',
      "npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.",
    ],
    [
      "error: rustup could not choose a version of cargo to run, because no default is configured.\nhelp: run 'rustup default stable' to set one.\n",
      "error: rustup could not choose a version of cargo to run, because no default is configured.",
    ],
    [
      "fatal: 'x' does not appear to be a git repository\nhint: Please make sure you have access\nhint: and that it exists\n",
      "fatal: 'x' does not appear to be a git repository",
    ],
    ["help: I am all there is\n", "help: I am all there is"],
    ["at least 3 prices are wrong\n", "at least 3 prices are wrong"],
    ["ready\nport: 3000\n", "port: 3000"],
    ["npm error is what this file is about\nall good", "all good"],
  ])("of %j", (output, words) => {
    expect(lastWords(output)).toBe(words);
  });
});
