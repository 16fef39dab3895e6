import { makeTargets } from "../../core/files/makefile.ts";

/** How the tests of a project without a package manager's lock file are run. */

/** What is looked at: names at the top of a repository, and in its folders of tests (`tests/a.py`); the text of a file, or null. */
export interface Project {
  readonly files: readonly string[];
  readonly textOf: (file: string) => string | null;
}

interface PythonTests {
  /** The file that names what is installed; null: nothing is. */
  readonly from: string | null;
  readonly setup: string | null;
  readonly check: string;
}

/** By pytest where anything speaks of it, else as their imports say; null: there are none. What the tests need is installed beside them. */
export function pythonTests(project: Project): PythonTests | null {
  const runner = pythonRunner(project);
  if (runner === null) return null;
  const from = requirements.filter((file) => project.textOf(file) !== null);
  const [first] = from;
  if (first === undefined) return { from: null, setup: null, check: `python3 ${runner}` };
  const install = from.map((file) => `-r ${file}`).join(" ");
  return {
    from: first,
    setup: `python3 -m venv .venv && .venv/bin/pip install ${install}`,
    check: `.venv/bin/python ${runner}`,
  };
}

const requirements = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt"];

const pythonSettings = ["pyproject.toml", "setup.cfg", "tox.ini", ...requirements];

function pythonRunner({ files, textOf }: Project): string | null {
  const tests = files.filter((file) => /^(?:tests?\/)?test_[^/]{1,80}\.py$/.test(file));
  const marks = ["pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"];
  const speaksOf = (file: string): boolean => (textOf(file) ?? "").includes("pytest");
  if (files.some((file) => marks.includes(file)) || pythonSettings.some(speaksOf)) return "-m pytest";
  const [some] = tests;
  if (some === undefined) return null;
  const isUnittest = tests.some((file) => (textOf(file) ?? "").includes("unittest")) && !tests.some(speaksOf);
  if (!isUnittest) return "-m pytest";
  const folder = some.includes("/") ? some.slice(0, some.indexOf("/")) : null;
  return folder === null || files.includes(`${folder}/__init__.py`)
    ? "-m unittest"
    : `-m unittest discover -s ${folder}`;
}

const makers = [
  ["Makefile", "make"],
  ["makefile", "make"],
  ["GNUmakefile", "make"],
  ["justfile", "just"],
] as const;

/** `make test`, or `make check`, where that is a target; null: neither is. */
export function makesTarget({ textOf }: Project): string | null {
  for (const [file, program] of makers) {
    const targets = makeTargets(textOf(file) ?? "");
    const target = ["test", "check"].find((name) => targets.has(name));
    if (target !== undefined) return `${program} ${target}`;
  }
  return null;
}
