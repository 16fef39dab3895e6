import type { Said, Schema, Tool } from "./moves.ts";

/** One way of asking models over HTTP: how a request is read and how an answer is written. */
export interface Dialect {
  readonly name: "chat" | "responses" | "messages" | "gemini";
  /** Whether it is asked at this path. */
  matches(path: string): boolean;
  read(body: unknown, path: string): Asked;
  /** The events of a streamed answer, as they are sent. */
  stream(answer: Answer): readonly string[];
  /** The answer whole. */
  whole(answer: Answer): unknown;
  error(status: number, message: string): unknown;
}

export interface Asked {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly tools: readonly Tool[];
  /** The shape that the answer must have, where the request says one. */
  readonly wanted: Schema | null;
}

/** Tokens of one answer; `input` includes what was cached. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly said: Said;
  readonly usage: Usage;
}

/** One server-sent event. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** A text in two pieces, as models send them. */
export function pieces(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((each) => each !== "");
}

/** A list at a key of what may be anything. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}

/** A tool, from a name and a schema that were found somewhere in a request. */
export function toolOf(name: unknown, schema: unknown): Tool[] {
  return typeof name === "string" ? [{ name, schema: schemaOf(schema) ?? {} }] : [];
}

export function schemaOf(schema: unknown): Schema | null {
  return typeof schema === "object" && schema !== null ? schema : null;
}
