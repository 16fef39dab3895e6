import type { SyntaxNode } from "unbash";
import { nodesIn } from "./script.ts";
import { valueOf } from "./statements.ts";

/** What shell commands leave for later ones: files and variables. */

const writing = /^(?:>|>>|>\||&>|&>>)$/;
/** `--outputFile`, `--junit-xml`, `-o` */
const namesOutput = /^(?:-o|--?\w[\w-]{0,30}(?:[fF]ile|[oO]ut(?:put)?|[rR]eport|xml|json))$/;

/** The files that a node writes, as far as its redirections and options show. */
export function filesWrittenBy(node: SyntaxNode): readonly string[] {
  return nodesIn(node).flatMap((each) => {
    if (each.type === "Redirect") return writing.test(each.operator) ? [each.target?.value ?? ""] : [];
    if (each.type !== "Command") return [];
    const words = each.args.map(valueOf);
    return each.name?.value === "tee" ? words.filter((word) => !word.startsWith("-")) : outputsAmong(words);
  });
}

function outputsAmong(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const [option = "", ...value] = word.split("=");
    if (!namesOutput.test(option)) return [];
    const file = value.length > 0 ? value.join("=") : (words[index + 1] ?? "");
    return file.startsWith("-") ? [] : [file];
  });
}

/** True when a command substitution takes the output: `out=$(npm test)`. */
export function isCatching(node: SyntaxNode): boolean {
  return nodesIn(node).some(({ type }) => type === "CommandExpansion");
}
