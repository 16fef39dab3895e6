import { describe, expect, it } from "vitest";
import { placesInCommand } from "../../../src/core/files/found.ts";
import { madeBy } from "../../../src/core/files/makefile.ts";

describe("the folders and globs in which a command runs files", () => {
  it.each([
    ["pytest qa", ["qa"]],
    ["python -m pytest qa", ["qa"]],
    ["timeout 60 pytest qa", ["qa"]],
    ["timeout -k 5 60s bats qa", ["qa"]],
    ["nice -n 5 bats qa", ["qa"]],
    ["sudo -u postgres pg_prove qa", ["qa"]],
    ["CI=1 env FOO=bar bats qa", ["qa"]],
    ["coverage run -m pytest qa", ["qa"]],
    ["coverage run --source src -m pytest qa", ["qa"]],
    ["pipenv run pytest qa", ["qa"]],
    ["hatch run pytest qa", ["qa"]],
    ["conda run -n dev pytest qa", ["qa"]],
    ["nyc mocha qa", ["qa"]],
    ["npx c8 mocha qa", ["qa"]],
    ["xvfb-run npx playwright test qa", ["test", "qa"]],
    ["dotenv -e .env -- vitest qa", ["qa"]],
    ["cross-env CI=1 vitest qa", ["qa"]],
    ["pnpm vitest run qa", ["run", "qa"]],
    ["pnpm exec vitest qa", ["qa"]],
    ["yarn jest qa", ["qa"]],
    ["some-new-wrapper pytest qa", ["qa"]],
    ["dart test qa", ["test", "qa"]],
    ["uv run run.py cases/*", ["cases/*"]],
    ["Rscript run.R cases/*.csv", ["cases/*.csv"]],
    ["julia run.jl cases/*.txt", ["cases/*.txt"]],
    ["parallel ./cli ::: cases/*", ["cases/*"]],

    ["for f in cases/*.case; do ./run $f; done", ["cases/*.case"]],
    ["npm test -- qa", ["qa"]],
    ["pytest -m 'not slow' qa", ["qa"]],
    ["bash -c 'cd app && pytest qa'", ["qa", "app/qa"]],
    ["docker compose exec -T web bash -c 'cd app && pytest qa'", ["qa", "app/qa"]],
    ["concurrently 'npm start' 'mocha checks/*.js'", ["checks/*.js"]],
    ["parallel 'node {}' ::: checks/*.js", ["{}", "checks/*.js"]],

    [
      "for f in cases/*.in; do python3 app.py < $f | diff - ${f%.in}.out || exit 1; done",
      ["cases/*.in", "cases/*.out"],
    ],
    ["for f in cases/*.in; do diff <(./app < $f) ${f/.in/.out} || exit 1; done", ["cases/*.in", "cases/*.out"]],
    ['for f in cases/*.in; do ./app < "$f" | cmp - "${f%in}json"; done', ["cases/*.in", "cases/*.json"]],
    ["for n in a b; do ./greet < cases/$n.in | diff - cases/$n.out; done", ["a", "b", "cases/*.in", "cases/*.out"]],
    ["for n in $(seq 3); do ./greet < cases/$n.in | diff - cases/$n.out; done", ["cases/*.in", "cases/*.out"]],
    ["for f in cases/*.in; do ./a < $f | diff - $here/want/$(basename $f .in).txt; done", ["cases/*.in", "want/*.txt"]],
    ["for f in cases/*.in; do b=${f##*/}; ./a < $f | diff - want/${b%.in}; done", ["cases/*.in", "*.in", "want/*"]],
    ["for d in cases/*/; do ./a < $d/in | diff - $d/out; done", ["cases/*", "in", "out", "cases/*/in", "cases/*/out"]],
    ["ls cases/*.in | while read -r f; do ./a < $f | diff - ${f%.*}.out; done", ["cases/*.in", "**/*.out"]],
    [
      "for f in cases/a.in cases/b.in; do ./a < $f | diff - ${f%.*}.want; done",
      ["cases/a.in", "cases/b.in", "cases/*.in", "cases/*.want"],
    ],
    ["for f in t/*.t; do perl -w $f; done", ["t/*.t"]],
    ["for f in t/*.sh; do sh -e $f; done", ["t/*.sh"]],
    ["for f in t/*.py; do python3 $f ast; done", ["t/*.py"]],
  ])("%j runs those of %j", (command, places) => {
    expect(placesInCommand(command)).toEqual(places);
  });

  it.each([
    "eslint src",
    "eslint --plugin jest src",
    "tsc --types jest src",
    "git diff --stat src",
    "pip install pytest qa",
    "npm install --save-dev jest src",
    "echo pytest src",
    "rg vitest src",
    "prettier --check docs",
    "timeout 60 node build.js src/*",
    "uv run generate.py src/*",
    "pandoc docs/*.md",
    "for f in src/*.md; do cat $f; done",
    "for f in migrations/*.sql; do psql -f $f; done",
    "find . -name x.py -exec cat {} ;",
    "docker run pytest src",
    'for f in functions/*.js; do node --check "$f" || exit 1; done',
    "for f in scripts/*.sh; do bash -n $f; done",
    "find functions -name '*.js' | xargs -n1 node --check",
    "find functions -name '*.js' -exec node --check {} +",
    "for f in jobs/*.py; do python -m py_compile $f; done",
    "for f in pages/*.php; do php -l $f || exit 1; done",
    "for f in jobs/*.pl; do perl -I lib -c $f || exit 1; done",
    "bash -n scripts/*.sh",
    "php -l pages/*.php",
    "node --check functions/*.js",
    "ruby -wc jobs/*.rb",
    "python -m py_compile jobs/*.py",
    "python3 -m compileall jobs",
  ])("%j runs none", (command) => {
    expect(placesInCommand(command)).toEqual([]);
  });
});

describe("what a makefile runs", () => {
  const makefile = [
    "all: build",
    "build: ## makes MODE=release",
    "\tcc -o app src/*.c # builds",
    "check: ## runs with CI=1",
    "\tbats qa/*.bats",
    "quick: check # and = no more",
    "",
  ].join("\n");

  it.each([
    ["make check", ["bats qa/*.bats"]],
    ["make -j check", ["bats qa/*.bats"]],
    ["make -k -j check", ["bats qa/*.bats"]],
    ["make -j 4 check", ["bats qa/*.bats"]],
    ["make -C . check", ["bats qa/*.bats"]],
    ["make quick", ["bats qa/*.bats"]],
    ["make check > out.log 2>&1", ["bats qa/*.bats"]],
    ["CI=1 timeout 60 bash -c 'make quick || exit 1'", ["bats qa/*.bats"]],
    ["make", ["cc -o app src/*.c # builds"]],
    ["make -j", ["cc -o app src/*.c # builds"]],
  ])("%j", (command, lines) => {
    expect(madeBy(makefile, [command]).lines).toEqual(lines);
  });

  it("all of it, where a target stands in no rule that is read", () => {
    expect(madeBy(`include more.mk\n${makefile}`, ["make verify"]).lines).toContain("bats qa/*.bats");
  });
});

it("a program that is called as what every object has brings no places", () => {
  expect(placesInCommand("constructor --x")).toEqual([]);
});
