/**
 * Something between us and the platform answered in its place: a proxy, a firewall, a page of its content network. Whether the platform
 * was reached is unknown, and the answer says nothing about the card.
 */
export class NotTheirs extends Error {}

/**
 * `fetch` for a platform whose answers are JSON or empty. Throws NotTheirs for any other answer, which clients would take for a refusal
 * or for a posted message. Rate limits and server failures pass through, because their status is enough.
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

/** True for the error that `fetch` throws when it hides an answer, such as a 407. A network failure has a code instead. */
function isAnswerForNobody(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  return !("code" in error.cause) && error.cause.cause === undefined && !(error.cause instanceof AggregateError);
}
