import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Git's own smart HTTP over bare repositories of a folder, as any server runs it. */
export interface GitServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Requests so far that carried a password. */
  loggedIn(): number;
  /** From now on nothing is answered, and connections stay open. */
  hang(): void;
  /**
   * What is answered as a host does that is away for a while: all, pushes only, or nothing; `meanwhile` is done before each answer.
   * "page": all, with a web page in one line; "files": as a server of plain files.
   */
  away(what: Away, meanwhile?: () => Promise<void>): void;
}

export type Away = "all" | "pushes" | "page" | "files" | "nothing";

/** For one test. `login`: "name:password" that every request must carry; null: everybody may read and push. */
export async function startGitServer(folder: string, login: string | null): Promise<GitServer> {
  const server = await openGitServer(folder, login);
  onTestFinished(server.close);
  return server;
}

/** The same, until it is closed. */
export async function openGitServer(
  folder: string,
  login: string | null,
): Promise<GitServer & { close(): Promise<void> }> {
  let known = 0;
  let isHanging = false;
  let isAway: Away = "nothing";
  let before = async (): Promise<void> => {};
  const server = createServer((request, response) => {
    if (isHanging) return;
    if (isAway === "all" || (isAway === "pushes" && request.url?.includes("git-receive-pack"))) {
      void before().then(() => response.writeHead(503).end());
      return;
    }
    if (isAway === "page") {
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Log in first</body></html>");
      return;
    }
    if (isAway === "files") {
      const file = readFile(join(folder, new URL(request.url ?? "/", "http://x").pathname));
      void file.then((content) => response.end(content)).catch(() => response.writeHead(404).end());
      return;
    }
    const wanted = `Basic ${Buffer.from(login ?? "").toString("base64")}`;
    if (login !== null && request.headers.authorization !== wanted) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end();
      return;
    }
    if (login !== null) known += 1;
    serveGit(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    loggedIn: () => known,
    hang: () => {
      isHanging = true;
    },
    away: (what, meanwhile = async () => {}) => {
      isAway = what;
      before = meanwhile;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** One request of git's smart HTTP; also what another server of a test serves beside its own. */
export function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["-c", "http.receivepack=true", "-c", "safe.directory=*", "http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      HOME: folder,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "ana",
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.once("close", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    const headers: Record<string, string> = {};
    for (const line of all.subarray(0, end).toString().split("\r\n")) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon)] = line.slice(colon + 1).trim();
    }
    const status = Number((headers["Status"] ?? "200").slice(0, 3));
    delete headers["Status"];
    response.writeHead(status, headers).end(all.subarray(end + 4));
  });
}
