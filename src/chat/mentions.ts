/** What people write to the bot where it reads nothing: at the top of a channel, and in threads of others. */

/** A text without the marks that stand for us; null where it holds none of them. */
export function spokenToUs(text: string, marks: readonly string[]): string | null {
  if (!marks.some((mark) => text.includes(mark))) return null;
  return marks.reduce((rest, mark) => rest.replaceAll(mark, " "), text).trim();
}

const mostRemembered = 500;

/** Says of an id whether it is given for the first time: an event may be delivered twice. */
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
