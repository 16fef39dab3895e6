import { randomBytes } from "node:crypto";
import type { Span } from "../core/cards/card.ts";
import { linesCard, confirmationCard } from "../core/cards/lists.ts";
import { isPersonName, personWith } from "../core/people.ts";
import { formatDuration } from "../core/text.ts";
import { type ConsoleSession, endConsoleSession, insertLink, liveSessions } from "../db/console-sessions.ts";
import { withFreshId } from "../db/connection/client.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { anyId, name } from "./fields.ts";
import { localOrigin } from "../core/local-address.ts";

/**
 * Who is let into the console (D54): people with its token, and people to whom somebody with the token gave a link. A link is opened
 * once, in one browser. It makes a session under their name, which expires or is revoked.
 */

export const consoleList = command({
  name: "console",
  chatName: null,
  summary: "Who is let into the console: sessions and links that were not opened yet.",
  access: "read",
  run: (deps, caller) => list(deps, caller),
});

export const consoleLink = command({
  name: "console link",
  chatName: null,
  summary: "Make a link with which one person opens the console once, under their name.",
  access: "change",
  positionals: {
    name: name("NAME", "what they are called; console:NAME in COS_PEOPLE joins it with their other accounts"),
  },
  run: makeLink,
});

export const consoleEnd = command({
  name: "console end",
  chatName: null,
  summary: "End a session of the console, or take back a link.",
  access: "change",
  positionals: { id: anyId("ID", "as cos console lists it") },
  run: end,
});

async function list(deps: Pick<Deps, "database" | "now">, caller: Caller): Promise<CommandResult> {
  if (caller.member !== null) return notInChats();
  const live = await liveSessions(deps.database.db, deps.now());
  return done(
    live,
    linesCard(live.length === 0 ? "Nobody has opened the console" : "Who is let into the console", live.map(lineOf)),
  );
}

function lineOf({
  consoleSessionId,
  name: whose,
  openedAt,
  openedFrom,
  seenAt,
  madeBy,
  expiresAt,
}: ConsoleSession): Span[] {
  const who = { strong: whose ?? "with the token" };
  const until: Span[] = [", until ", { at: expiresAt.toISOString() }, " ", { code: consoleSessionId }];
  if (openedAt === null) return [who, `: a link by ${madeBy}, not opened yet`, ...until];
  return [
    who,
    ": since ",
    { at: openedAt.toISOString() },
    ` from ${openedFrom ?? ""}, last used about `,
    { at: (seenAt ?? openedAt).toISOString() },
    ...until,
  ];
}

/** A new link; `path` is its part below the console's address. */
export interface LinkMade {
  readonly consoleSessionId: string;
  readonly name: string;
  readonly address: string;
  readonly path: string;
  readonly expiresAt: Date;
}

async function makeLink(
  deps: Pick<Deps, "database" | "now" | "newId" | "policy" | "config">,
  caller: Caller,
  { name: whose }: { readonly name: string },
): Promise<CommandResult<LinkMade>> {
  const refusal = refusalOfLink(deps, caller, whose);
  if (refusal !== null) return refusal;
  const { actor, via } = caller;
  const key = randomBytes(24).toString("base64url");
  const [madeAt, { linkMs }] = [deps.now(), deps.policy.console];
  const expiresAt = new Date(madeAt.getTime() + linkMs);
  const consoleSessionId = await deps.database.transaction(async (tx) => {
    const row = { name: whose, madeBy: actor, madeAt, expiresAt };
    const id = await withFreshId(
      () => deps.newId("cs"),
      (consoleSessionId) => insertLink(tx, key, { ...row, consoleSessionId }),
    );
    const detail = { consoleSessionId: id, name: whose };
    await appendTimeline(tx, { event: "console.link-made", actor, via, at: madeAt, detail });
    return id;
  });
  const path = `/enter?key=${key}`;
  const address = `${deps.config.consoleUrl ?? localOrigin(deps.config)}${path}`;
  const more = [
    address,
    `It is opened once, within ${formatDuration(linkMs)}, in their own browser; whoever opens it acts as ${whose}.`,
    `Take it back: cos console end ${consoleSessionId}`,
  ];
  return done(
    { consoleSessionId, name: whose, address, path, expiresAt },
    confirmationCard(`A link to the console for ${whose}`, more),
  );
}

/**
 * Refuses to make a link. A name can vote, so links are made only by people with this machine or the token, not in a session with a name.
 */
function refusalOfLink({ config }: Pick<Deps, "config">, caller: Caller, whose: string): RefusedCall | null {
  if (caller.member !== null) return notInChats();
  if (caller.session !== undefined)
    return refused(`you are ${caller.session.name} here; links are made by who has the console's token`);
  if (caller.origin.type === "remote")
    return refused("links are made on the bot's own machine", `cos console link ${whose}`);
  if (!isPersonName(whose))
    return refused("a name is a letter, then at most 39 letters, digits, dots, - or _", "cos console link ana");
  const named = config.people.find((each) => each.name === whose);
  if (named !== undefined && personWith(`console:${whose}`, config.people) !== named)
    return refused(
      `${whose} is a person of COS_PEOPLE without an account console:${whose}, and nobody else may be called so`,
      `COS_PEOPLE=${whose}=${[...named.accounts, `console:${whose}`].join("+")}`,
    );
  return null;
}

async function end(
  deps: Pick<Deps, "database" | "now">,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<CommandResult> {
  if (caller.member !== null) return notInChats();
  const { actor, via } = caller;
  const [at, { database }] = [deps.now(), deps];
  const mine = caller.session === undefined ? null : caller.session.name;
  const ended = await database.transaction(async (tx) => {
    const live = (await liveSessions(tx, at)).find((each) => each.consoleSessionId === id);
    if (live === undefined) return null;
    if (mine !== null && live.name !== mine) return "another's";
    const gone = await endConsoleSession(tx, id);
    if (gone === null) return null;
    const detail = { consoleSessionId: id, name: gone.name };
    await appendTimeline(tx, { event: "console.ended", actor, via, at, detail });
    return gone;
  });
  if (ended === null) return refused(`no session of the console is called ${JSON.stringify(id)}`, "cos console");
  if (ended === "another's") return refused(`${id} is not ${mine ?? ""}'s; nothing was changed`);
  const line = `${ended.openedAt === null ? "The link" : "The session"} ${id}${ended.name === null ? "" : ` of ${ended.name}`} lets nobody in any more`;
  return done({ consoleSessionId: id, name: ended.name }, confirmationCard(line));
}

function notInChats(): RefusedCall {
  return refused("who is let into the console is said in the terminal and in the console only");
}
