import { setTimeout as sleep } from "node:timers/promises";
import type { Answered } from "./processes.ts";
import type { Server } from "./server.ts";

/** What the person has to do with. */
export interface Desk {
  readonly server: Server;
  /** A command of the terminal. */
  cos(...words: string[]): Promise<Answered>;
  /** Of the consoles. */
  token(): Promise<string>;
  /** The consoles that answer now. */
  consoles(): string[];
  readonly random: () => number;
}

/** How the person works. */
export interface Manner {
  readonly pauseMs: number;
  /** So many questions are answered side by side. */
  readonly atOnce: number;
  /** Neither by replies nor by commands. */
  readonly onlyClicks?: boolean;
}

export interface Answers {
  questions: number;
  hiccups: number;
  /** How the questions were answered. */
  clicks: number;
  replies: number;
  commands: number;
  /** What must not be: a confirmed answer that is not recorded, a question that no trouble explains. */
  readonly unexpected: string[];
}

interface Open {
  readonly checkpoint_id: string;
  readonly kind: string;
  readonly context: string;
}

/**
 * Looks at what is open and answers the oldest: by a command, by a reply, or by a click that several consoles get in one
 * moment. Begins a session where goals wait for one.
 */
export async function answerAll(desk: Desk, manner: Manner, signal: AbortSignal): Promise<Answers> {
  const answers: Answers = { questions: 0, hiccups: 0, clicks: 0, replies: 0, commands: 0, unexpected: [] };
  while (!signal.aborted) {
    const open = await desk.server.rows<Open & Record<string, unknown>>(
      "select checkpoint_id, kind, context from cos.checkpoints where status = 'pending' order by created_at limit $1",
      [manner.atOnce],
    );
    if (open.length === 0) await beginWhereGoalsWait(desk);
    await Promise.all(open.map((each) => answerOne(desk, manner, each, answers)));
    await sleep(manner.pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return answers;
}

async function answerOne(desk: Desk, { onlyClicks }: Manner, open: Open, answers: Answers): Promise<void> {
  const id = open.checkpoint_id;
  const drawn = desk.random();
  const how = onlyClicks === true || drawn < 0.4 ? "clicks" : drawn < 0.6 ? "replies" : "commands";
  const isConfirmed = how === "clicks" ? await click(desk, id) : await say(desk, how, id);
  const [now] = await desk.server.rows<{ status: string }>(
    "select status from cos.checkpoints where checkpoint_id = $1",
    [id],
  );
  if (isConfirmed && now?.status !== "approved")
    answers.unexpected.push(`an answer to ${id} was confirmed and is not recorded: ${now?.status ?? "gone"}`);
  if (now?.status !== "approved") return;
  answers[how] += 1;
  if (open.kind === "hiccup") answers.hiccups += 1;
  else answers.questions += 1;
  if (open.kind !== "hiccup" && open.kind !== "start")
    answers.unexpected.push(`asked about something else (${open.kind}): ${open.context.slice(0, 300)}`);
}

async function say(desk: Desk, how: "replies" | "commands", id: string): Promise<boolean> {
  const words = how === "commands" ? ["approve", id] : ["reply", id, "proceed"];
  return (await desk.cos(...words)).code === 0;
}

/** The same button on every console at once; whether one of them said that it counts. */
async function click({ token: tokenOf, consoles }: Desk, id: string): Promise<boolean> {
  const token = await tokenOf();
  const body = new URLSearchParams({ id, choice: "proceed", back: "/" });
  const press = async (url: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` };
    const page = await fetch(`${url}/answer`, { method: "POST", headers, body, signal: AbortSignal.timeout(20_000) });
    return (await page.text()).includes(`${id} is answered`);
  };
  const pressed = await Promise.all(consoles().map((url) => press(url).catch(() => false)));
  return pressed.includes(true);
}

async function beginWhereGoalsWait(desk: Desk): Promise<void> {
  const waiting = await desk.server.rows<{ name: string }>(
    `select distinct r.name from cos.goals g join cos.repositories r using (repository_id)
     where g.status = 'pending' and not exists (
       select 1 from cos.sessions s where s.repository_id = g.repository_id and s.status <> 'ended')`,
  );
  for (const { name } of waiting) await desk.cos("autopilot", "start", "--repo", name, "--budget", "1000");
}
