import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk";
import { storable } from "../../core/text.ts";

/**
 * Filters an agent's messages before the library reads them. Texts are cleaned so that any store takes them. Updates go to `onUpdate`,
 * which reads them leniently. Neither updates nor answers to no request reach the library, which would print the agent's words into our
 * log.
 */
export function readableMessages(stream: Stream, onUpdate: (params: unknown) => void): Stream {
  const asked = new Set<unknown>();
  return {
    readable: passing(stream.readable, (message) => {
      cleanTexts(message, fieldsOf(message).method === methods.client.fs.writeTextFile ? ["content"] : []);
      const { id, method, params } = fieldsOf(message);
      const isUpdate = method === methods.client.session.update && id === undefined;
      if (isUpdate) onUpdate(params);
      return !isUpdate && (method !== undefined || id === undefined || asked.delete(id));
    }),
    writable: noting(stream.writable, (message) => {
      const { id, method } = fieldsOf(message);
      if (method !== undefined && id !== undefined) asked.add(id);
    }),
  };
}

/** Passes on only messages for which `isForLibrary` is true. */
function passing(
  from: ReadableStream<AnyMessage>,
  isForLibrary: (message: AnyMessage) => boolean,
): ReadableStream<AnyMessage> {
  const reader = from.getReader();
  return new ReadableStream<AnyMessage>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (isForLibrary(value)) return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function noting(to: WritableStream<AnyMessage>, note: (message: AnyMessage) => void): WritableStream<AnyMessage> {
  const writer = to.getWriter();
  return new WritableStream<AnyMessage>({
    write(message) {
      note(message);
      return writer.write(message);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

interface Fields {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** Reads the fields of a message, which may be any JSON value. */
function fieldsOf(message: unknown): Fields {
  return typeof message === "object" && message !== null ? message : {};
}

/**
 * Removes NUL and unpaired surrogates from texts and keys, which no store takes. Works in place and without recursion, because a
 * message may be nested deeply.
 */
function cleanTexts(message: unknown, leftOut: readonly string[]): void {
  const open = [message];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "object") open.push(value);
      const name = storable(key);
      if (name !== key) Reflect.deleteProperty(node, key);
      if (typeof value === "string" && !leftOut.includes(key)) Reflect.set(node, name, storable(value));
      else if (name !== key) Reflect.set(node, name, value);
    }
  }
}
