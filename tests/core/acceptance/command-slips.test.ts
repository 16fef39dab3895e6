import { describe, expect, it } from "vitest";
import { commandSlips } from "../../../src/core/acceptance/command-slips.ts";
import { parsePassCondition } from "../../../src/core/acceptance/pass-condition.ts";

function slipsOf(command: string, text = "exit code 0"): string[] {
  const condition = parsePassCondition(text);
  if (typeof condition === "string") throw new Error(condition);
  return commandSlips(command, condition);
}

describe("a command of which something may fail unseen", () => {
  it.each([
    ["npm run lint\nnpm test\n", '"npm run lint"'],
    ["npm run lint; npm test", '"npm run lint"'],
    ["cd web # the pages\nnpm test", '"cd web"'],
    ["export A=1\nnpm ci && npm run lint\n\nnpm test", '"npm ci"'],
    ["npm test | tail -20", '"npm test"'],
    ["npm test 2>&1 | tee out.log", '"npm test 2>&1"'],
    ['node -e "a;\nb" | sort | head -1 && npm test', '"node -e \\"a;\\nb\\""'],
    // A variable in front, and who starts it.
    ["CI=1 npm test | tail -20", '"CI=1 npm test"'],
    ["NODE_ENV=test npm test; echo done", '"NODE_ENV=test npm test"'],
    ["env CI=1 timeout -k 5 60 npm test | cat", '"env CI=1 timeout -k 5 60 npm test"'],
    ["npm test | LC_ALL=C sort", '"npm test"'],
    ["npm test 2>&1 | sed 's/^/  /'", '"npm test 2>&1"'],
    // Programs whose names begin as a word of the shell.
    ["dotnet build; dotnet test", '"dotnet build"'],
    ["docker run app npm test | tee out.txt", '"docker run app npm test"'],
    // Beside "not" and blocks.
    ["npm run lint; ! grep -q TODO src; npm test", '"npm run lint"'],
    ["! grep -q TODO src; npm test", '"! grep -q TODO src"'],
    ["if test -f a; then b; fi; npm run lint; npm test", '"npm run lint"'],
    ["npm run lint; for f in *.sh; do sh -n $f || exit 1; done", '"npm run lint"'],
    // Of a loop the last round decides.
    ["for f in *.sh; do sh -n $f; done", '"sh -n $f"'],
    ["for d in */; do (cd $d && npm test); done", '"(cd $d && npm test)"'],
    ["while read f; do test -e $f; done < list", '"test -e $f"'],
    ["find . -name a.js | while read f; do node --check $f; done && echo ok", '"node --check $f"'],
    ["for f in *.js; do node --check $f; echo checked; done", '"node --check $f"'],
    ["for t in a b; do npm test -w $t; echo $t; done", '"npm test -w $t"'],
    ["for f in *.js; do node --check $f || echo bad; done", '"node --check $f"'],
    ["for f in *.js; do node --check $f || break; done", '"node --check $f"'],
    ["for f in *.js; do node --check $f || bad=1; done; echo done", '"node --check $f"'],
    ["for f in a b; do diff $f w/$f && echo ok || echo FAIL; done", '"diff $f w/$f"'],
    ["for f in *.js; do if ! node --check $f; then echo bad; fi; done", '"node --check $f"'],
    ["for d in a b; do for f in $d/*; do sh -n $f; done; done", '"sh -n $f"'],
    ["for d in a b; do cd $d; npm test; cd ..; done", '"npm test"'],
    ["for d in a b; do [ -e $d/x ] || continue; (cd $d && npm test); done", '"(cd $d && npm test)"'],
    ["npm ci && for f in a b; do sh -n $f || echo bad; done", '"sh -n $f"'],
    ["bash -c 'for f in *.sh; do sh -n $f; echo $f; done'", '"sh -n $f"'],
    ["for s in a b; do docker exec $s npm test; done", '"docker exec $s npm test"'],
    ["for f in *.js; do CI=1 node --check $f; done", '"CI=1 node --check $f"'],
    // Texts over lines of their own, and "case".
    ["python3 - <<'E'\nmain()\nE\nnpm test", "\"python3 - <<'E'\""],
    ["npm run lint; case $OS in a) exit 1;; esac", '"npm run lint"'],
    // What find runs for each.
    ["find src -name '*.js' -exec node --check {} \\;", '"node --check {}"'],
    ["set -e; find src -type f -exec node --check {} ';'", '"node --check {}"'],
    // Filters that always have something, or want nothing.
    ["curl -s localhost:3000/api | jq .", '"curl -s localhost:3000/api"'],
    ["npm test 2>&1 | grep -v warning", '"npm test 2>&1"'],
    ["uv run pytest | grep -v warning", '"uv run pytest"'],
    ["npm test | xargs echo", '"npm test"'],
    ["npm test > log || (cat log)", '"npm test > log"'],
    ["npm test || { echo failed; cat log; }", '"npm test"'],
    ["npm test; [ $? ]", '"npm test"'],
    // A way out behind the second of two commands says nothing of the first one.
    ["npm test && grep -q x a && exit 1; exit 0", '"npm test"'],
    ["(grep -q x a && exit 1); npm run lint", '"(grep -q x a && exit 1)"'],
    ["(npm run lint; npm test)", '"npm run lint"'],
    ["cd web && { npm run lint; npm test; }", '"npm run lint"'],
    ["(npm test) | tail", '"(npm test)"'],
    ["bash -lc 'npm test | tail'", '"npm test"'],
    ["docker compose exec web sh -c 'npm run lint; npm test'", '"npm run lint"'],
    // What does not ask how something ended.
    ['npm test; echo "exit code: $?"', '"npm test"'],
    ["npm test; rc=$?; echo $rc", '"npm test"'],
    ["npm test || failed=1; echo $failed", '"npm test"'],
    ['out=$(npm test); echo "$out"', '"out=$(npm test)"'],
    ["npm test > out.txt 2>&1; tail -5 out.txt", '"npm test > out.txt 2>&1"'],
    ["test -f dist/a && echo found; npm test", '"test -f dist/a"'],
    ["npm test || true", '"npm test"'],
    ["npm test && echo ok || echo failed", '"npm test"'],
    ["npm test &", '"npm test"'],
    ["npm run lint & npm test & wait", '"npm run lint"'],
    // A server is begun, asked and ended: how the question ends is lost.
    ["npm start & PID=$!; sleep 3; curl -sf localhost:3000; kill $PID", '"curl -sf localhost:3000"'],
    ["npm run dev & npx wait-on tcp:3000 && npx playwright test; kill %1", '"npx wait-on tcp:3000"'],
    // What ends well whatever happens.
    ["if npm test; then echo ok; fi", '"npm test"'],
    ["if npm test; then true; fi", '"npm test"'],
    ["if docker exec web npm test; then echo ok; fi", '"docker exec web npm test"'],
    ["if npm test\nthen\n  echo ok\nfi\necho done", '"npm test"'],
    ["if npm test; then echo ok; else echo failed; fi", '"npm test"'],
    ["if npm test > log 2>&1; then echo ok; else cat log; fi", '"npm test > log 2>&1"'],
    ["if ! npm test; then echo failed; fi", '"! npm test"'],
    ["if [ -f dist/a.js ]; then echo found; fi", '"[ -f dist/a.js ]"'],
    ["set -e; if npm test; then echo ok; fi", '"npm test"'],
    ["export CI=1; if npm test; then echo ok; fi", '"npm test"'],
    ["(if npm test; then echo ok; fi)", '"npm test"'],
    ["bash -c 'if npm test; then echo ok; fi'", '"npm test"'],
    ["trap 'exit 0' EXIT; npm test", '"npm test"'],
    ["trap 'rm -rf tmp; exit 0' EXIT; npm run lint && npm test", '"npm run lint"'],
    ['set -e\ntrap "exit 0" 0\nnpm test', '"npm test"'],
    ["pytest; [ $? -le 255 ]", '"pytest"'],
    ["pytest; [ $? -ge 0 ]", '"pytest"'],
    ["pytest; test $? -lt 256", '"pytest"'],
    ["npm test || [ -d . ]", '"npm test"'],
    ["npm test || [ 1 -eq 1 ]", '"npm test"'],
    ["npm test || test x", '"npm test"'],
    ["make -i test", '"make -i test"'],
    ["make -ki test", '"make -ki test"'],
    ["export CI=1; make --ignore-errors test", '"make --ignore-errors test"'],
    ["make -k test; true", '"make -k test"'],
    // What "set -e" does not see.
    ["set -e; npm run lint && npm run types; npm test", '"npm run lint"'],
    ["set -e\n! grep -rq TODO src\nnpm test", '"! grep -rq TODO src"'],
    ["set -e; npm ci; set +e; npm test; echo done", '"npm test"'],
    ["set -e; npm test & wait", '"npm test"'],
    ["set -o pipefail; npm run lint; npm test | tail", '"npm run lint"'],
  ])("is told: %s", (command, first) => {
    expect(slipsOf(command)).toEqual([expect.stringContaining(`${first} may fail unseen`) as string]);
  });

  it.each([
    "npm run lint && npm test",
    "npm run lint &&\n  npm test",
    "npm run lint \\\n  --all",
    "set -eu\nnpm run lint\nnpm test",
    "set -o pipefail; npm test | tail",
    "npm test; test $? -eq 0",
    "cat a.txt; grep -q good a.txt",
    "npm start & npm test",
    "npm run lint || exit 1\nnpm test",
    "for f in *.sh; do sh -n $f || exit 1; done",
    "for f in a b; do test -e $f || fail=1; done; exit $fail",
    "for f in *.js; do if ! node --check $f; then exit 1; fi; done",
    "for i in 1 2 3; do npm test && break; done",
    "for i in 1 2 3; do npm test && break; sleep 5; done",
    "set -e; for f in *.sh; do sh -n $f; done",
    "for f in *.in; do ./run < $f > $f.out; done; diff -r out want",
    "for f in a b; do echo $f; done | grep -q a",
    "for f in *.js; do node --check $f || { echo bad; exit 1; }; done",
    "for f in *.js; do if ! node --check $f; then echo bad; exit 1; fi; echo ok; done",
    "for d in a b; do cd $d && npm test && cd ..; done",
    'for f in a b; do ./run < $f || bad=1; done && [ -z "$bad" ]',
    '{ for f in a b; do sh -n $f || bad=1; done; } && [ -z "$bad" ]',
    "{ for f in a b; do ./run < $f; done; } > out; diff out want",
    "(for f in a b; do sh -n $f; done) || exit 1",
    "for f in *.in; do ./run < $f > out.txt; diff out.txt ${f%.in}.out || exit 1; done",
    "for i in 1 2 3; do if npm test; then break; fi; sleep 5; done",
    "for i in 1 2 3; do curl -sf localhost && exit 0; sleep 1; done; exit 1",
    "trap 'exit $bad' EXIT; for f in a b; do sh -n $f || bad=1; done",
    "fail() { echo $1; exit 1; }; for f in a b; do sh -n $f || fail $f; done",
    "for d in a b; do pushd $d && npm test && popd; done",
    "for f in a b; do wc -l $f; cat $f; done",
    "while read f; do sh -n $f || exit 1; echo $f; done < list",
    "find src -name '*.js' -exec node --check {} +",
    "find src -name '*.js' | xargs -n1 node --check",
    "find . -name '*.map' -exec rm {} \\;",
    "find docs -type f -exec md5sum {} \\; > sums; diff sums want",
    "find . -type f -exec gzip -k {} \\; && test -f a.gz",
    "find . -exec grep -q TODO {} \\; -print | grep -q a",
    "curl -s localhost:3000/api | jq -e .ok",
    "node cli.js --json | jq .",
    "cat package.json | jq .",
    "npm test --silent | grep -v warning",
    "! npm test 2>&1 | grep -v warning",
    "git status --porcelain | grep -v node_modules",
    "git ls-files | xargs node --check",
    "npm test || (cat log; exit 1)",
    "npm test || { cat log; false; }",
    "npm test; [ $? = 0 ]",
    "until curl -sf localhost; do sleep 1; done; npm test",
    "git ls-files | grep -q secret && exit 1 || exit 0",
    "grep -rq TODO src && exit 1 || true",
    "grep -rn TODO src && { echo found; exit 1; } || true",
    "grep -q x a && exit 1; npm test",
    "test -f old.js && exit 1; exit 0",
    "docker rm -f db; docker run -d --name db postgres && npm test",
    "pkill -f server.js; npm test",
    "npm test -- --json --outputFile=r.json; jq -e '.success' r.json",
    "pytest --junitxml r.xml; grep -q 'failures=.0' r.xml",
    "if test -f a; then b; fi",
    // What may end otherwise.
    "if ! npm test; then exit 1; fi",
    "if npm test; then echo ok; else exit 1; fi",
    "if npm test; then echo ok; else false; fi",
    "if npm test; then echo ok; else (exit 1); fi",
    "if npm test; then echo ok; else { echo bad; exit 1; }; fi",
    "if npm test; then echo ok; elif npm run other; then echo ok; else exit 1; fi",
    "if [ -f x ]; then npm test; fi",
    "if [ -f x ]; then npm test && echo ok; fi",
    "if [ -f x ]; then npm test; fi; echo done",
    "if npm test; then echo ok; fi | grep -q ok",
    "if npm test; then echo ok > out; fi; grep -q ok out",
    'if npm test; then ok=1; fi; [ "$ok" = 1 ]',
    "if npm test; then rc=0; else rc=$?; fi; exit $rc",
    "if npm test; then echo ok; fi && npm run lint",
    "if npm test; then exit 0; fi; exit 1",
    "set -e; npm test; if [ -f log ]; then cat log; fi",
    "npm test || exit 1; if [ -f log ]; then cat log; fi",
    "finish() { exit $bad; }; trap finish EXIT; if npm test; then bad=0; fi",
    "if grep -q then a.txt; then exit 1; fi",
    "trap 'kill $PID' EXIT; npm test",
    "trap 'rm -rf tmp' EXIT; npm test",
    "trap 'exit $rc' EXIT; npm test",
    "trap '[ $rc = 1 ] || exit 0' EXIT; npm test",
    "trap 'exit 0' INT; npm test",
    "trap 'exit 0' EXIT; trap - EXIT; npm test",
    "trap 'exit 0' EXIT; exec npm test",
    "npm test || exit 1; trap 'exit 0' EXIT",
    "diff a b; [ $? -le 1 ]",
    "node cli.js --bad; [ $? -gt 0 ]",
    "npm test; [ $? -lt 1 ]",
    "npm test || [ -d dist ]",
    "npm test || [ $A = 1 ]",
    "make -k test",
    "make -C lib -Iinclude test",
    "make -i clean && make test",
    "make -i test > log; grep -q passed log",
    "make -i test | grep -q passed",
    "make -j4 test",
    "cat <<E | node\nx\nE",
    "cat > a.txt <<E\nnpm run lint; npm test | tail\nE\nnode cli.js a.txt",
    "test -e two.txt && { test ! -e full || cat /etc/hostname > /dev/full; }",
    "cos list | grep -q shop",
    "echo 'a; b | tail'",
    "test $(npm ls | wc -l) -gt 3",
    "node -e 'a();\nb()'",
    "npm test > out.txt 2>&1",
    "npm test &> out.txt",
    "it's",
    // What stands at the end of a pipe decides.
    "node cli.js --help | head -1 | grep -q Usage",
    "git ls-files | wc -l | grep -qx 5",
    "python main.py | tr -d '\\r' | sort | diff - expected.txt",
    "node a.js | sort -c",
    "node a.js | awk '/bad/ { exit 1 }'",
    // What ends where something fails.
    "set -o errexit\nnpm run lint\nnpm test",
    "set -o errexit -o pipefail\nnpm run lint\nnpm test | tail",
    "set -x\nexport CI=1\nset -euo pipefail\nnpm run lint\nnpm test | tee out.log",
    "set -e; npm test; docker rm -f db || true",
    "set -e\n[ -f .env ] && . ./.env\nnpm test",
    "bash -euo pipefail -c 'npm run lint; npm test | tail -5'",
    // What is asked for, later or of a pipe.
    "npm test 2>&1 | tee out.log; test ${PIPESTATUS[0]} -eq 0",
    "npm test | tee out.log; exit ${PIPESTATUS[0]}",
    "npm test; rc=$?; npm run clean; docker logs db | tail; exit $rc",
    "npm start & pid=$!; curl -fs localhost:3000; rc=$?; kill $pid; exit $rc",
    "set -e; npm start & PID=$!; sleep 3; curl -sf localhost:3000; kill $PID",
    "npm start & sleep 3; curl -sf localhost:3000 || exit 1; kill $!",
    "npm start & sleep 3; kill -0 $!",
    "npm test; rc=$?; [ $rc -eq 0 ] || exit $rc; echo done",
    "npm test\nif [ $? -ne 0 ]; then exit 1; fi\necho ok",
    "npm run lint || failed=1; npm test || failed=1; exit $failed",
    "npm test; exit",
    "npm run lint & a=$!; npm run types & b=$!; wait $a && wait $b",
    // What it printed decides.
    "node cli.js --bad 2>err.txt; grep -q usage err.txt",
    "node cli.js --bad 2>err.txt || true; grep -q usage err.txt",
    "python main.py | sort > out.txt && diff out.txt expected.txt",
    "set -e\npython main.py | sort > out.txt\ndiff out.txt expected.txt\necho ok",
    "npm test 2>&1 | tee out.log; grep -q '0 failing' out.log",
    'out=$(npm test 2>&1); echo "$out" | grep -q passing',
    'grep -q passing <<< "$(npm test)"',
    // What only prepares, and what is wanted one way or the other.
    ". .venv/bin/activate\ncp .env.test .env\nCI=1 pytest",
    "if [ ! -d node_modules ]; then npm ci; fi\nnpm test",
    "while ! curl -fs localhost; do sleep 1; done; npm test",
    "(npm start > log 2>&1 &) && sleep 2 && curl -fs localhost",
    "(npm start > log 2>&1 &); sleep 2; curl -fs localhost",
    "sh -c 'npm start &' && curl -fs localhost",
    "sh -c '(npm start; date) &' & while ! curl -fs localhost; do sleep 1; done; npm test",
    "(sleep 9 &) ; setsid sleep 9 & sleep 9",
    "npm test || { cat log; exit 1; }",
    "ls dist/a.js || ls dist/a.mjs",
    "case $(uname) in Linux) npm test;; *) exit 1;; esac",
    "f() { npm run lint; npm test; }; f",
    "diff <(python main.py | sort) <(sort expected.txt)",
  ])("is not: %s", (command) => {
    expect(slipsOf(command)).toEqual([]);
  });

  it("says how the end of what asks a server is kept, and of what only runs beside that it need not", () => {
    expect(slipsOf("npm start & sleep 3; curl -sf localhost; kill $!")).toEqual([
      '"curl -sf localhost" may fail unseen, the last command decides: put "rc=$?" behind it and "exit $rc" at the end',
    ]);
    expect(slipsOf("npm test & sleep 3")).toEqual([expect.stringContaining("leave its & away") as string]);
  });

  it("is not where its output decides, or another exit code", () => {
    expect(slipsOf("npm test | tail", 'output contains "3 passed"')).toEqual([]);
    expect(slipsOf("npm run lint; npm test", "exit code 1")).toEqual([]);
  });

  it.each(["a && ", "(a) && ", "a | tail && ", "a > f | tail && ", "a; ", "if a; then echo b; fi; ", "a || "])(
    "is looked for in a command of the longest kind without holding others up: %s",
    (part) => {
      const ofSize = (length: number): number => {
        const begin = process.cpuUsage().user;
        slipsOf(`${part.repeat(length / part.length)}grep f x`);
        return process.cpuUsage().user - begin;
      };
      ofSize(1_000);
      expect(Math.max(ofSize(5_000), ofSize(12_000), ofSize(20_000))).toBeLessThan(1_500_000);
    },
  );

  it.each([
    ["{ ", "; }"],
    ["(", ")"],
    ["if a; then ", "; fi"],
  ])("nor in one of blocks within blocks: %s", (begin, end) => {
    const deep = `${begin.repeat(1_500)}a${end.repeat(1_500)}`;
    const before = process.cpuUsage().user;
    slipsOf(deep);
    slipsOf(`${deep}; ${deep}`.slice(-20_000));
    slipsOf(`b; ${deep}`);
    expect(process.cpuUsage().user - before).toBeLessThan(1_500_000);
  });
});
