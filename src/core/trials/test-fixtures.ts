/** What pytest gives to tests by the names of their parameters. */

/** A parameter of a test, and the line (from 0) of the function in the same file that makes its value; null: it is elsewhere. */
export interface Fixture {
  readonly name: string;
  readonly at: number | null;
}

/** The fixtures of a file's tests, without those of pytest itself and the parameters that the file lists (`parametrize`). */
export function fixturesOf(path: string, lines: readonly string[]): readonly Fixture[] {
  if (!/\.py$/i.test(path)) return [];
  const text = lines.join("\n");
  const listed = new Set([...text.matchAll(parametrized)].flatMap(([, words = ""]) => words.match(/\w+/g) ?? []));
  const names = [...text.matchAll(tests)].flatMap(([, said = ""]) => said.split(",").map(nameOf));
  return [...new Set(names)].flatMap((name) => {
    if (name === "" || own.has(name) || listed.has(name)) return [];
    const at = lines.findIndex((line) => madeAs(line) === name);
    return [{ name, at: at === -1 ? null : at }];
  });
}

const tests = /^[ \t]{0,40}(?:async )?def test\w{0,100}\(([^()]{0,1000})\)/gm;
const parametrized = /\bparametrize\(\s{0,40}([^\n]{1,300})/g;
/** Of pytest and its usual plugins; `mock` is what `patch` gives. */
const own = new Set(
  "self cls request tmp_path tmp_path_factory tmpdir monkeypatch capsys capfd caplog recwarn pytester mocker mock subtests benchmark".split(
    " ",
  ),
);

/** A parameter without its type, default and stars. */
function nameOf(parameter: string): string {
  const name = /^[\s*/]{0,200}(\w{1,100})/.exec(parameter)?.[1] ?? "";
  return name.startsWith("mock_") ? "" : name;
}

function madeAs(line: string): string | undefined {
  return /^(?:async )?def (\w{1,100})\(/.exec(line)?.[1];
}
