/** Whether a file is one of a shell, by the end of its name. */
export function isShellFile(path: string): boolean {
  return /\.(?:sh|bash|ksh|zsh)$/i.test(path);
}

/** Whether a file is one of Python, by the end of its name. */
export function isPythonFile(path: string): boolean {
  return /\.pyi?$/i.test(path);
}

/** Whether a file is one of JavaScript, or becomes one, by the end of its name. */
export function isScriptFile(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|es6?|jsm|coffee|vue|svelte|astro|html?)$/i.test(path);
}

/** Whether a file is one of Go, by the end of its name. */
export function isGoFile(path: string): boolean {
  return /\.go$/i.test(path);
}

/** Whether a file is one of Perl, by the end of its name. */
export function isPerlFile(path: string): boolean {
  return /\.(?:pl|pm|psgi|t)$/i.test(path);
}

/** Whether a file is one of Ruby, by the end of its name. */
export function isRubyFile(path: string): boolean {
  return /\.(?:rb|rake|ru)$/i.test(path);
}

/** Whether a file is one of PHP, by the end of its name. */
export function isPhpFile(path: string): boolean {
  return /\.(?:php\d?|phtml|inc)$/i.test(path);
}

/** Whether single quotes stand around one letter in the language of a file, by the end of its name. */
export function quotesLetters(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|java|kt|kts|cs|scala|go|rs|swift|d|zig|hs)$/i.test(path);
}

/** Whether functions of a file begin with the type of what they return, by the end of its name. */
export function beginsWithTypes(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|java|cs|d|dart|groovy)$/i.test(path);
}

/** Whether a file is one of C, C++ or Objective-C, by the end of its name. */
export function isCFile(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm)$/i.test(path);
}
