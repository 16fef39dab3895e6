import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Somebody who is asked line by line. */
export interface Terminal {
  say(line: string): void;
  /** What was typed, without spaces around it. `isHidden`: it is not shown, as for a token. Throws Stopped after Ctrl-C. */
  ask(question: string, isHidden?: boolean): Promise<string>;
  /** Throws Stopped where Ctrl-C was pressed, while nothing was asked too. */
  goOn(): void;
  close(): void;
}

/** Ctrl-C, or the end of what can be typed. */
export class Stopped extends Error {}

interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * A terminal on two streams. Lines that are typed or pasted ahead are taken in their order; while something secret is asked,
 * and until the next question, nothing that is typed is shown.
 */
export function openTerminal({ input, output }: Streams): Terminal {
  let isSilent = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isSilent) output.write(chunk);
      done();
    },
  });
  // No history: arrow keys must not show a token again.
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
