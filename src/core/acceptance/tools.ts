import { ownCommandsOf } from "../shell/commands.ts";
import { lineOfShell } from "../shell/handed.ts";
import { commandsTypedIn } from "../shell/started.ts";
import { nameOf, plainWords } from "../shell/words.ts";

/** Programs whose version affects setup and checks, with the arguments that print the version. */
const known: Readonly<Record<string, readonly string[]>> = {
  ...withVersionOption(
    "node npm pnpm yarn bun deno python python3 pip pip3 uv poetry pipenv ruby bundle cargo rustc make cmake gcc g++ clang mvn gradle php composer dotnet swift mix",
  ),
  go: ["version"],
  java: ["-version"],
};

/** The program that runs a tool which does not print its own version. */
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

/** The tools that command lines use, and always node and npm; each once, sorted by name. */
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
 * The known programs that begin the simple commands of command lines, each once. Lines within a shell are read too. A program with a path
 * or a variable before it is skipped, and so are conditions and commands after `||`: they may be anything, or never run.
 */
export function programsOf(commands: readonly string[]): readonly string[] {
  const first = firstWords(commands).map(([program = ""]) => program);
  return [...new Set(first)].filter(
    (name) => Object.hasOwn(known, name) || Object.hasOwn(runBy, name) || others.has(name),
  );
}

/** Maximum depth of shells within shells. */
const deepest = 3;

function firstWords(commands: readonly string[], depth = 0): readonly (readonly string[])[] {
  return commands.flatMap(ownCommandsOf).flatMap((each) => {
    const words = plainWords(each);
    const line = depth < deepest ? lineOfShell(words, each.input) : null;
    if (each.variables.length > 0) return [];
    return line === null ? [words] : firstWords([line], depth + 1);
  });
}

/** Programs that are started by name and have no version that matters. */
const others: ReadonlySet<string> = new Set(["npx", "ctest", "just", "dart"]);

export interface PythonModule {
  /** As the command names it: `python3`. */
  readonly python: string;
  readonly name: string;
}

/** Test runners and tools that are installed as modules. Other modules may be the repository's own. */
const pythonModules = /^(?:pytest|nose2|behave|tox|nox|coverage|mypy|ruff|flake8|pylint|black)$/;

/**
 * The known modules that simple commands run with the Python of the PATH (`python3 -m pytest`), each once. Empty when the setup may install
 * them: it names a Python installer, or a script.
 */
export function pythonModulesOf(setup: string | null, commands: readonly string[]): readonly PythonModule[] {
  if (setup !== null && /pip|python|\b(?:uv|poetry|pdm|hatch|rye|conda|make|just|task|sh|bash)\b|\//.test(setup))
    return [];
  const found = firstWords(commands).flatMap(([python = "", option, name = ""]) =>
    /^python3?$/.test(python) && option === "-m" && pythonModules.test(name) ? [{ python, name }] : [],
  );
  return found.filter((each, at) => found.findIndex((other) => other.name === each.name) === at);
}
