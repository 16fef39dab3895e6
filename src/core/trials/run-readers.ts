import { isCFile, isGoFile, isPhpFile, isPythonFile, isRubyFile, isScriptFile } from "./languages.ts";

/** What code can search for the name of a test, by language (F-201). */

/** What it searches. "its arguments" may hold a program's own words, so that only the names of runners count there. */
export type Searched = "its stack" | "what was started" | "what is loaded" | "its arguments";

/** How a language reads these, and the names of its runners, besides names of tests. */
export interface Readers {
  /** Tokens with blanks between them; `?` and `!` among the tokens of a source are skipped. */
  readonly reads: Readonly<Partial<Record<Searched, readonly string[]>>>;
  readonly runners: RegExp | null;
}

const readers: readonly (readonly [(path: string) => boolean, Readers])[] = [
  [
    isScriptFile,
    {
      reads: {
        "its stack": ["Error ( ) . stack", "{ stack } = new Error", "getCallSites"],
        "what was started": [
          "Deno . mainModule",
          "process . mainModule",
          "Bun . main",
          "require . main . filename",
          "module . parent . filename",
          "module . parent . id",
        ],
        "what is loaded": ["require . cache"],
      },
      runners: null,
    },
  ],
  [
    isPythonFile,
    {
      reads: {
        "its stack": [
          "inspect . stack",
          "inspect . currentframe",
          "inspect . getouterframes",
          "sys . _getframe",
          "traceback . extract_stack",
          "traceback . format_stack",
          "traceback . walk_stack",
        ],
        "what is loaded": ["sys . modules"],
      },
      runners: /^(?:conftest|doctest|nose2?|twisted\.trial)$/,
    },
  ],
  [
    isRubyFile,
    {
      reads: {
        "its stack": ["caller", "caller_locations"],
        "what is loaded": ["$LOADED_FEATURES"],
      },
      runners: null,
    },
  ],
  [isPhpFile, { reads: { "its stack": ["debug_backtrace"] }, runners: null }],
  [
    isGoFile,
    {
      reads: {
        "its stack": ["debug . Stack", "runtime . Caller", "runtime . Callers", "runtime . CallersFrames"],
        "what was started": ["os . Args [ 0 ]", "os . Executable"],
        "what is loaded": ["debug . ReadBuildInfo"],
      },
      runners: /^testing\./,
    },
  ],
  [
    (path) => /\.rs$/i.test(path),
    {
      reads: {
        "its stack": ["Backtrace : : capture", "Backtrace : : force_capture"],
        "what was started": ["current_exe", "args ( ) . next", "args ( ) . nth ( 0 )"],
        "its arguments": ["args"],
      },
      // The folder in which cargo puts test programs.
      runners: /^(?:[^-\s]{0,30}\/)?deps(?:\/[^-\s]{0,30})?$/,
    },
  ],
  [
    (path) => /\.(?:java|kts?|scala|groovy)$/i.test(path),
    {
      reads: {
        "its stack": ["getStackTrace", ". stackTrace", "StackWalker"],
        "what was started": [
          '"sun.java.command"',
          "currentThread ( ) . getName",
          "currentThread ( ) . name",
          "getInputArguments",
        ],
        "what is loaded": ['"java.class.path"'],
      },
      runners:
        /^[\w.$]{0,40}(?:junit|surefire|failsafe|testng|scalatest|kotest|spockframework)[\w.$]{0,40}$|^Test worker$/i,
    },
  ],
  [
    (path) => /\.(?:cs|fs|vb)$/i.test(path),
    {
      reads: {
        "its stack": ["Environment . StackTrace", "new StackTrace", "new StackFrame"],
        "what was started": [
          "GetEntryAssembly",
          "GetCurrentProcess ( ) . ProcessName",
          "CurrentDomain . FriendlyName",
          "Environment . CommandLine",
        ],
        "what is loaded": ["GetAssemblies"],
      },
      runners: /^[\w.]{0,40}(?:xunit|nunit|mstest|testhost|TestPlatform|TestTools)[\w.]{0,40}$/i,
    },
  ],
  [(path) => /\.exs?$/i.test(path), { reads: { "its stack": ["current_stacktrace"] }, runners: null }],
  [
    (path) => /\.dart$/i.test(path),
    {
      reads: { "its stack": ["StackTrace . current"], "what was started": ["Platform . script"] },
      runners: null,
    },
  ],
  [
    isCFile,
    {
      reads: { "what was started": ["argv [ 0 ]", "program_invocation_name", "program_invocation_short_name"] },
      runners: null,
    },
  ],
];

/** The readers of a file's language; null where none are known. */
export function readersOf(path: string): Readers | null {
  return readers.find(([isOf]) => isOf(path))?.[1] ?? null;
}
