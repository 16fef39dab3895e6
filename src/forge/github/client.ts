import type { Octokit } from "@octokit/core";
import { z } from "zod";
import type { ForgeAnswer, ForgePlace } from "../../core/forges/forge.ts";
import type { FailedAnswer } from "../../core/forges/trouble.ts";
import {
  type ForgeContext,
  causeWords,
  failedAnswer,
  longestAnswerMs,
  pageLength,
  pagesOf,
  readAnswer,
} from "../http/answer.ts";

/**
 * Requests to GitHub and GitHub Enterprise Server, by Octokit: https://docs.github.com/rest. Network errors and GitHub's errors are
 * return values.
 */

export type Parameters = Readonly<Record<string, unknown>>;

/** A repository on GitHub. */
export interface Github {
  readonly owner: string;
  /** Sends a request by its REST route (`GET /repos/{owner}/{repo}`); owner and repo are added. Only GET requests follow a redirect. */
  ask<Value>(route: string, given: Parameters, shape: z.ZodType<Value>): Promise<ForgeAnswer<Value>>;
  /** Sends a GraphQL mutation. */
  mutate(mutation: string, variables: Parameters): Promise<ForgeAnswer<null>>;
}

/** Opens a repository. Sends no request yet. */
export function openGithub({ site, path }: ForgePlace, context: ForgeContext): Github {
  const [owner = "", repo = ""] = path.split("/");
  let opened: Octokit | null = null;

  /** Loads the library on demand: few commands ask a forge. */
  async function client(): Promise<Octokit> {
    const { Octokit: Opened } = await import("@octokit/core");
    opened ??= new Opened({
      auth: site.token,
      baseUrl: apiOf(site.url),
      userAgent: "chief-of-staff",
      // Its warnings would appear among ours.
      log: { debug: silent, info: silent, warn: silent, error: silent },
    });
    return opened;
  }

  async function ask<Value>(route: string, given: Parameters, shape: z.ZodType<Value>): Promise<ForgeAnswer<Value>> {
    const address = `${site.url} ${route} ${JSON.stringify({ owner, repo, ...given })}`;
    const known = route.startsWith("GET ") ? context.known.get(address) : null;
    const headersOf = known === null ? {} : { headers: { "if-none-match": known.etag } };
    return await answered(async () => {
      const redirect = route.startsWith("GET ") ? ("follow" as const) : ("manual" as const);
      const request = { signal: AbortSignal.timeout(longestAnswerMs), redirect };
      const octokit = await client();
      const sent = octokit.request(route, { owner, repo, ...given, ...headersOf, request });
      const answer = await sent.catch((error: unknown) => {
        if (known !== null && isUnchanged(error)) return null;
        throw error;
      });
      if (answer === null) return readAnswer(context, shape, known?.body);
      const { status, data, headers } = answer;
      if (status >= 300) return failedAnswer(context, { status, headers: texts(headers), message: "moved" });
      if (route.startsWith("GET ")) context.known.keep(address, headers.etag, data);
      return readAnswer(context, shape, data);
    });
  }

  async function answered<Value>(work: () => Promise<ForgeAnswer<Value>>): Promise<ForgeAnswer<Value>> {
    try {
      return await work();
    } catch (error) {
      return failedAnswer(context, answerIn(error));
    }
  }

  return {
    owner,
    ask,
    mutate: (mutation, variables) =>
      answered(async () => {
        const octokit = await client();
        await octokit.graphql(mutation, { ...variables, request: { signal: AbortSignal.timeout(longestAnswerMs) } });
        return { type: "ok", value: null };
      }),
  };
}

/** Reads a list page by page, up to a limit. `route` must answer with a list of `shape`. */
export async function listOf<Each>(
  { ask }: Github,
  route: string,
  given: Parameters,
  shape: z.ZodType<Each>,
): Promise<ForgeAnswer<readonly Each[]>> {
  return await pagesOf((page) => ask(route, { ...given, per_page: pageLength, page }, z.array(shape)));
}

/** GitHub has a separate address for its API; a company's server has it below its own address. */
function apiOf(url: string): string {
  return url === "https://github.com" ? "https://api.github.com" : `${url}/api/v3`;
}

function silent(): void {}

function isUnchanged(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 304;
}

/** Converts an error. `RequestError` has a status and an answer; a GraphQL error comes with status 200 and a list. */
function answerIn(error: unknown): FailedAnswer {
  if (error instanceof Error && error.name === "GraphqlResponseError" && "headers" in error)
    return { status: 422, headers: texts(error.headers), message: error.message };
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number")
    return { status: null, headers: {}, message: causeWords(error) };
  const response = "response" in error ? (error.response as { readonly headers?: unknown } | undefined) : undefined;
  // An error before GitHub was reached has status 500 and no answer.
  if (response === undefined) return { status: null, headers: {}, message: causeWords(error.cause ?? error) };
  return { status: error.status, headers: texts(response.headers), message: error.message };
}

function texts(headers: unknown): Record<string, string> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
