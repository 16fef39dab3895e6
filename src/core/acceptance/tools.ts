import { ownCommandsOf } from "../shell/commands.ts";
import { lineOfShell } from "../shell/handed.ts";
import { commandsTypedIn } from "../shell/started.ts";
import { nameOf, plainWords } from "../shell/words.ts";

/** Programs whose version decides how setup and checks end, with what makes them say it. */
const known: Readonly<Record<string, readonly string[]>> = {
  ...withVersionOption(
    "node npm pnpm yarn bun deno python python3 pip pip3 uv poetry pipenv ruby bundle cargo rustc make cmake gcc g++ clang mvn gradle php composer dotnet swift mix",
  ),
  go: ["version"],
  java: ["-version"],
};

/** What runs a tool that does not say its own version. */
const runBy: Readonly<Record<string, readonly string[]>> = {
  pytest: ["python3"],
  tox: ["python3"],
  nox: ["python3"],
  rake: ["ruby"],
  rspec: ["ruby"],
  cargo: ["rustc"],
  mvn: ["java"],
  gradle: ["java"],
};

export interface Tool {
  readonly name: string;
  readonly args: readonly string[];
}

/** The tools that command lines use, node and npm always, each once, in order of their names. */
export function toolsIn(commands: readonly string[]): readonly Tool[] {
  const words = commands.flatMap((command) => commandsTypedIn(command).flat());
  const named = words.map(nameOf).flatMap((name) => [name, ...(Object.hasOwn(runBy, name) ? (runBy[name] ?? []) : [])]);
  const names = [...new Set(["node", "npm", ...named])].filter((name) => Object.hasOwn(known, name)).sort();
  return names.map((name) => ({ name, args: known[name] ?? [] }));
}

function withVersionOption(names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, ["--version"]]));
}

/**
 * The known programs with which the simple commands of command lines begin, each once, those of a shell within them too. What a path or a
 * variable stands before, and what stands in a condition or behind `||`, is not read: it may be anything, or never run.
 */
export function programsOf(commands: readonly string[]): readonly string[] {
  const first = firstWords(commands).map(([program = ""]) => program);
  return [...new Set(first)].filter(
    (name) => Object.hasOwn(known, name) || Object.hasOwn(runBy, name) || others.has(name),
  );
}

/** A shell within a shell is looked into so often. */
const deepest = 3;

function firstWords(commands: readonly string[], depth = 0): readonly (readonly string[])[] {
  return commands.flatMap(ownCommandsOf).flatMap((each) => {
    const words = plainWords(each);
    const line = depth < deepest ? lineOfShell(words, each.input) : null;
    if (each.variables.length > 0) return [];
    return line === null ? [words] : firstWords([line], depth + 1);
  });
}

/** Programs that are started by their name, and say no version that matters. */
const others: ReadonlySet<string> = new Set(["npx", "ctest", "just", "dart"]);

export interface PythonModule {
  /** As the command names it: `python3`. */
  readonly python: string;
  readonly name: string;
}

/** Test runners and tools that are installed as modules; another module may be the repository's own. */
const pythonModules = /^(?:pytest|nose2|behave|tox|nox|coverage|mypy|ruff|flake8|pylint|black)$/;

/**
 * The known modules that simple commands run by the Python of the PATH (`python3 -m pytest`), each once. Empty where the setup may install
 * them: it names an installer of Python's, or a script.
 */
export function pythonModulesOf(setup: string | null, commands: readonly string[]): readonly PythonModule[] {
  if (setup !== null && /pip|python|\b(?:uv|poetry|pdm|hatch|rye|conda|make|just|task|sh|bash)\b|\//.test(setup))
    return [];
  const found = firstWords(commands).flatMap(([python = "", option, name = ""]) =>
    /^python3?$/.test(python) && option === "-m" && pythonModules.test(name) ? [{ python, name }] : [],
  );
  return found.filter((each, at) => found.findIndex((other) => other.name === each.name) === at);
}
