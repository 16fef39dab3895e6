import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk";
import { storable } from "../../core/text.ts";

/**
 * What an agent sends, before the library reads it. Texts become such as any store takes. Updates go to `onUpdate`, which reads
 * them leniently; they and answers to nothing never reach the library, which would print words of the agent's into our log.
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

/** Those for which `isForLibrary` says so. */
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

/** Of a message that may be anything that JSON is. */
function fieldsOf(message: unknown): Fields {
  return typeof message === "object" && message !== null ? message : {};
}

/** Without NUL and halves of characters, in names too, which no store takes. In place, without recursion: it may be nested deeply. */
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
