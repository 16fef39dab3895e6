/** Messages to the bot in places where replies are not read: at the top of a channel, and in other people's threads. */

/** Returns a text without the bot's mentions; null when it contains none. */
export function spokenToUs(text: string, marks: readonly string[]): string | null {
  if (!marks.some((mark) => text.includes(mark))) return null;
  return marks.reduce((rest, mark) => rest.replaceAll(mark, " "), text).trim();
}

const mostRemembered = 500;

/** Returns a function that is true when an id is given for the first time: an event may be delivered twice. */
export function openFirstTimes(): (id: string) => boolean {
  const given = new Set<string>();
  return (id) => {
    if (given.has(id)) return false;
    given.add(id);
    const [oldest] = given;
    if (given.size > mostRemembered && oldest !== undefined) given.delete(oldest);
    return true;
  };
}
