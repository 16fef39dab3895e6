import { createHash } from "node:crypto";

/** What clients ask of servers, read off the wire as it passes. */

/** One command that a server was asked to execute. */
export interface Sent {
  /** The statement; of Redis the command, or the first line of the script that it runs. */
  readonly text: string;
  /** Its parameters as they went over the wire, for looking whether something is named in them. */
  readonly given: string;
}

type Reader = (chunk: Buffer) => void;

/**
 * Reads what one client sends to PostgreSQL (frontend messages: a type, a length that counts itself, the content; the first one
 * has no type): a simple query, or whatever its portal was bound to, prepared by name or not. `asked` hears whenever the
 * server will say that it is ready again.
 */
export function postgresReader(tell: (sent: Sent) => void, asked: () => void = () => undefined): Reader {
  const prepared = new Map<string, string>();
  const portals = new Map<string, Sent>();
  let hasBegun = false;
  return framed(
    () => (hasBegun ? 1 : 0),
    (type, content) => {
      if (!hasBegun || type === "Q" || type === "S") asked();
      hasBegun = true;
      const [first = "", second = ""] = content.toString("utf8", 0, content.length).split("\0", 2);
      if (type === "Q") tell({ text: first, given: "" });
      // Parse: a name and a text; Bind: a portal and a name, then its values; Execute: a portal.
      if (type === "P") prepared.set(first, second);
      if (type === "B") portals.set(first, { text: prepared.get(second) ?? "", given: content.toString("latin1") });
      if (type === "E") tell(portals.get(first) ?? { text: "", given: "" });
    },
  );
}

/** Reads what PostgreSQL sends to one client: when it is ready again (`I`: in no transaction), and what it notifies of. */
export function answerReader(ready: (state: string) => void, notified: (payload: string) => void): Reader {
  return framed(
    () => 1,
    (type, content) => {
      if (type === "Z") ready(content.toString("latin1"));
      // A process, a channel, a payload.
      if (type === "A") notified(content.subarray(4).toString("utf8").split("\0")[1] ?? "");
    },
  );
}

function framed(typeLength: () => number, message: (type: string, content: Buffer) => void): Reader {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (true) {
      const head = typeLength();
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      message(head === 1 ? String.fromCharCode(rest[0] ?? 0) : "", rest.subarray(head + 4, end));
      rest = rest.subarray(end);
    }
  };
}

/** Scripts of a Redis, by their hash: most calls name only that. */
export type Scripts = Map<string, string>;

/** Reads what one client sends to Redis: arrays of strings, `*2\r\n$4\r\nPING\r\n…`. */
export function redisReader(scripts: Scripts, tell: (sent: Sent) => void): Reader {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (true) {
      const read = readArray(rest);
      if (read === null) return;
      rest = rest.subarray(read.end);
      tell(sentToRedis(scripts, read.words));
    }
  };
}

function sentToRedis(scripts: Scripts, [name = "", first = "", ...more]: readonly string[]): Sent {
  const command = name.toLowerCase();
  const given = [first, ...more].join(" ");
  if (command === "eval") scripts.set(createHash("sha1").update(first).digest("hex"), first);
  const script = command === "eval" ? first : command === "evalsha" ? (scripts.get(first) ?? first) : null;
  if (script === null) return { text: command, given };
  return { text: `script ${/\S[^\n]*[a-z][^\n]*/.exec(script)?.[0] ?? ""}`.trim(), given: more.join(" ") };
}

/** The array at the beginning of the buffer; null when it is not whole yet. */
function readArray(buffer: Buffer): { readonly words: readonly string[]; readonly end: number } | null {
  const head = lineAt(buffer, 0);
  if (head === null) return null;
  const words: string[] = [];
  let { end } = head;
  for (let left = Number(head.line.slice(1)); left > 0; left -= 1) {
    const size = lineAt(buffer, end);
    if (size === null) return null;
    const until = size.end + Number(size.line.slice(1));
    if (buffer.length < until + 2) return null;
    words.push(buffer.toString("utf8", size.end, until));
    end = until + 2;
  }
  return { words, end };
}

function lineAt(buffer: Buffer, from: number): { readonly line: string; readonly end: number } | null {
  const at = buffer.indexOf("\r\n", from);
  return at === -1 ? null : { line: buffer.toString("utf8", from, at), end: at + 2 };
}
