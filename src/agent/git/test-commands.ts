import { makeTargets } from "../../core/files/makefile.ts";

/** Finds the test command of a project without a package manager's lock file. */

/**
 * The files of a project: names at the top of the repository, and in its test folders (`tests/a.py`). `textOf` returns a file's text,
 * or null.
 */
export interface Project {
  readonly files: readonly string[];
  readonly textOf: (file: string) => string | null;
}

interface PythonTests {
  /** The file that lists the packages; null when there is none. */
  readonly from: string | null;
  readonly setup: string | null;
  readonly check: string;
}

/**
 * Tests with pytest if anything mentions it, else by the imports of the tests. Null when there are none. Setup installs the listed
 * packages.
 */
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

/** `make test`, or `make check`, if that target exists (or with `just`); null when neither does. */
export function makesTarget({ textOf }: Project): string | null {
  for (const [file, program] of makers) {
    const targets = makeTargets(textOf(file) ?? "");
    const target = ["test", "check"].find((name) => targets.has(name));
    if (target !== undefined) return `${program} ${target}`;
  }
  return null;
}
