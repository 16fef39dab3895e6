// Posts an answer to a console, in one of the ways in which somebody may. Run by goals and by people of tests:
//   node post.mjs WAY URL TOKEN CHECKPOINT RESULT-FILE
// What came of it ("sent" where nobody waits for an answer) is written to the file, whole.
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { connect, Socket } from "node:net";

const [way, url, token, checkpoint, resultFile, parent] = process.argv.slice(2);
const body = (csrf) => new URLSearchParams({ csrf, id: checkpoint, choice: "proceed", back: "/" }).toString();

const ways = {
  /** A script with the token. */
  bearer: () => post({ authorization: `Bearer ${token}` }, ""),
  /** What a browser sends, page and form. */
  form: async () => {
    const cookie = await opened();
    const page = await (await fetch(url, { headers: { cookie } })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    return await post({ cookie, origin: new URL(url).origin }, csrf);
  },
  /** A cookie, and an Authorization header that says nothing, without the form's token. */
  basic: async () => {
    const authorization = `Basic ${btoa(`x:${token}`)}`;
    return await post({ cookie: await opened(), origin: new URL(url).origin, authorization }, "");
  },
  /** A cookie beside a bearer, without the form's token. */
  both: () => post({ cookie: "other=1", authorization: `Bearer ${token}` }, ""),
  /** Sends, and is gone before anybody can look. */
  exit: async () => {
    const socket = await connected();
    write("sent");
    socket.write(raw(), () => process.exit(0));
    return null;
  },
  /** The connection outlives whoever made it: a child in a session of its own holds it and sends. */
  handed: async () => {
    const socket = await connected();
    const child = spawn(
      process.execPath,
      [process.argv[1], "holder", url, token, checkpoint, resultFile, `${process.pid}`],
      {
        detached: true,
        env: {},
        stdio: ["ignore", "ignore", "ignore", socket],
      },
    );
    child.once("spawn", () => process.exit(0));
    return null;
  },
  holder: async () => {
    while (process.ppid === Number(parent)) await new Promise((go) => setTimeout(go, 5));
    const socket = new Socket({ fd: 3, readable: true, writable: true });
    socket.write(raw());
    return await new Promise((settle) => socket.once("data", (chunk) => settle(String(chunk).split("\r\n")[0])));
  },
};

/** The session that the token opens. */
async function opened() {
  const response = await fetch(`${url}/?token=${token}`, { redirect: "manual" });
  return (response.headers.get("set-cookie") ?? "").split(";")[0];
}

/** What the console said, in words: its page after a decision, or why there is none. */
async function post(headers, csrf) {
  const sent = { method: "POST", headers, body: new URLSearchParams(body(csrf)), redirect: "manual" };
  const response = await fetch(`${url}/answer`, sent);
  const location = response.headers.get("location");
  if (location === null) return `${response.status}`;
  const { cookie, authorization } = headers;
  const page = await fetch(new URL(location, url), {
    headers: authorization === undefined ? { cookie } : { authorization },
  });
  return /class="flash [\s\S]*?<p>([\s\S]*?)<\/p>/.exec(await page.text())?.[1] ?? `${page.status}`;
}

function raw() {
  const text = body("");
  const lines = [
    "POST /answer HTTP/1.1",
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
    "content-type: application/x-www-form-urlencoded",
    `content-length: ${text.length}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${text}`;
}

function connected() {
  const { hostname, port } = new URL(url);
  return new Promise((settle, reject) => {
    const socket = connect(Number(port), hostname, () => settle(socket));
    socket.once("error", reject);
  });
}

function write(text) {
  writeFileSync(`${resultFile}.part`, `${text}\n`);
  renameSync(`${resultFile}.part`, resultFile);
}

const result = await ways[way]();
if (result !== null) write(result);
