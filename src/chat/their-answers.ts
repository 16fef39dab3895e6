/**
 * Something before a platform answered in its place: a proxy, a firewall, a page of its content network. Whether the platform was
 * reached is not known, and nothing is said of the card.
 */
export class NotTheirs extends Error {}

/**
 * `fetch` for a platform whose answers are JSON or empty. Throws NotTheirs for any other, which clients would take for a refusal, or
 * for a message that was posted; limits and failures of a server are what their status says.
 */
export async function fetchTheirs(...asked: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...asked).catch((error: unknown) => {
    throw isAnswerForNobody(error) ? new NotTheirs(proxyWords, { cause: error }) : error;
  });
  const { status, headers } = response;
  if (status === 429 || status >= 500 || status === 204) return response;
  if ((headers.get("content-type") ?? "").toLowerCase().startsWith("application/json")) return response;
  await response.body?.cancel();
  throw new NotTheirs(`something on the way answered, with HTTP ${status}`);
}

const proxyWords = "something on the way answered, as a proxy does that wants a login (HTTP 407)";

/** What `fetch` throws for an answer that it hands to nobody, such as a 407: a network that fails has a code. */
function isAnswerForNobody(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  return !("code" in error.cause) && error.cause.cause === undefined && !(error.cause instanceof AggregateError);
}
