import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** A person who is asked line by line. */
export interface Terminal {
  say(line: string): void;
  /** Returns the typed line, trimmed. `isHidden`: the line is not shown, as for a token. Throws Stopped after Ctrl-C. */
  ask(question: string, isHidden?: boolean): Promise<string>;
  /** Throws Stopped if Ctrl-C was pressed, also while nothing was being asked. */
  goOn(): void;
  close(): void;
}

/** Thrown after Ctrl-C, or at the end of the input. */
export class Stopped extends Error {}

interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Opens a terminal on two streams. Lines that are typed or pasted ahead are used in order. From a secret question until the next
 * question, typed characters are not shown.
 */
export function openTerminal({ input, output }: Streams): Terminal {
  let isSilent = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isSilent) output.write(chunk);
      done();
    },
  });
  // No history, because the arrow keys must not show a token again.
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  const typed: string[] = [];
  let waiting: { take(line: string): void; stop(error: Stopped): void } | null = null;
  let isOver = false;
  let isStopped = false;

  function end(): void {
    isOver = true;
    waiting?.stop(new Stopped());
    waiting = null;
  }

  lines.on("line", (line) => {
    const asked = waiting;
    waiting = null;
    if (asked === null) typed.push(line);
    else asked.take(line);
  });
  lines.on("SIGINT", () => {
    isStopped = true;
    lines.close();
  });
  lines.on("close", end);

  function goOn(): void {
    if (isStopped) throw new Stopped();
  }

  async function next(): Promise<string> {
    goOn();
    const line = typed.shift();
    if (line !== undefined) return line;
    if (isOver) throw new Stopped();
    return await new Promise((take, stop) => {
      waiting = { take, stop };
    });
  }

  return {
    say: (line) => void output.write(`${line}\n`),
    async ask(question, isHidden = false) {
      isSilent = isHidden;
      lines.setPrompt(isHidden ? "" : question);
      if (isHidden) output.write(question);
      else lines.prompt();
      const line = await next();
      if (isHidden) output.write("\n");
      return line.trim();
    },
    goOn,
    close: () => lines.close(),
  };
}
