/** True for a shell script, by the file extension. */
export function isShellFile(path: string): boolean {
  return /\.(?:sh|bash|ksh|zsh)$/i.test(path);
}

/** True for a Python file, by the file extension. */
export function isPythonFile(path: string): boolean {
  return /\.pyi?$/i.test(path);
}

/** True for JavaScript, or a language that compiles to it, by the file extension. */
export function isScriptFile(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|es6?|jsm|coffee|vue|svelte|astro|html?)$/i.test(path);
}

/** True for a Go file, by the file extension. */
export function isGoFile(path: string): boolean {
  return /\.go$/i.test(path);
}

/** True for a Perl file, by the file extension. */
export function isPerlFile(path: string): boolean {
  return /\.(?:pl|pm|psgi|t)$/i.test(path);
}

/** True for a Ruby file, by the file extension. */
export function isRubyFile(path: string): boolean {
  return /\.(?:rb|rake|ru)$/i.test(path);
}

/** True for a PHP file, by the file extension. */
export function isPhpFile(path: string): boolean {
  return /\.(?:php\d?|phtml|inc)$/i.test(path);
}

/** True when single quotes enclose one letter in the language of a file, by the file extension. */
export function quotesLetters(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|java|kt|kts|cs|scala|go|rs|swift|d|zig|hs)$/i.test(path);
}

/** True when function definitions begin with their return type, by the file extension. */
export function beginsWithTypes(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|java|cs|d|dart|groovy)$/i.test(path);
}

/** True for C, C++ or Objective-C, by the file extension. */
export function isCFile(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm)$/i.test(path);
}
