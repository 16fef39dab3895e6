/** The kept part of a stream's text. */
export interface StreamText {
  /** Takes the next bytes. They may begin or end within a character. */
  take(chunk: Buffer): void;
  text(): string;
}

/** Keeps the last `longest` characters of a stream. A character that two chunks share is read whole. */
export function keepEnd(longest: number): StreamText {
  const decoder = new TextDecoder();
  let text = "";
  return {
    take(chunk) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-longest);
    },
    text: () => text,
  };
}

/** Keeps the first `longest` characters of a stream. A character that two chunks share is read whole. */
export function keepStart(longest: number): StreamText {
  const decoder = new TextDecoder();
  let text = "";
  return {
    take(chunk) {
      if (text.length < longest) text = (text + decoder.decode(chunk, { stream: true })).slice(0, longest);
    },
    text: () => text,
  };
}
