import { errorWords } from "../core/errors.ts";
import type { TracingSettings } from "../core/tracing-settings.ts";

const withinMs = 5_000;

/** Sends an empty export. Returns why spans would be rejected; null when they would be accepted. Never throws. */
export async function tracingTrouble({ url, headers }: TracingSettings): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: '{"resourceSpans":[]}',
      redirect: "manual",
      signal: AbortSignal.timeout(withinMs),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    return errorWords(error instanceof Error && error.cause !== undefined ? error.cause : error);
  }
}
