import { Visitor } from "oxc-parser";
import { lineOf, type Source } from "./source.ts";

/** A function as it is written: `file:line`, its length with its head, how many parameters it takes. */
export interface Written {
  readonly at: string;
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
}

/** What a file holds: its functions, and where it says `any` or `!`. */
export interface Holds {
  readonly functions: readonly Written[];
  readonly anys: readonly string[];
  readonly nonNulls: readonly string[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads a file's functions: declarations, methods, and function values with a body of their own. */
export function holdsOf(source: Source): Holds {
  const functions: Written[] = [];
  const anys: string[] = [];
  const nonNulls: string[] = [];
  const at = (offset: number) => `${source.file}:${lineOf(source, offset)}`;

  function note({ start, end }: Span, name: string, parameters: number): void {
    const lines = lineOf(source, end) - lineOf(source, start) + 1;
    functions.push({ at: at(start), name, lines, parameters });
  }

  new Visitor({
    FunctionDeclaration: (node) => note(node, node.id?.name ?? "", node.params.length),
    FunctionExpression: (node) => note(node, node.id?.name ?? "", node.params.length),
    ArrowFunctionExpression(node) {
      if (node.body.type === "BlockStatement") note(node, "", node.params.length);
    },
    TSAnyKeyword: (node) => void anys.push(at(node.start)),
    TSNonNullExpression: (node) => void nonNulls.push(at(node.start)),
  }).visit(source.program);
  return { functions, anys, nonNulls };
}
