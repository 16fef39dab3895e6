import type { ActiveAccounts } from "./active.ts";
import type { Inbox, Refused } from "./inbox.ts";

/** Wraps an inbox so that its refusals name nobody who can do it instead and whose account is gone. */
export function namingWhoCan(inbox: Inbox, reach: Pick<ActiveAccounts, "among">): Inbox {
  async function named<Told extends { readonly type: string }>(
    telling: Promise<Told | Refused>,
  ): Promise<Told | Refused> {
    const told = await telling;
    return isRefused(told) ? { ...told, ask: await reach.among(told.ask) } : told;
  }
  return {
    ...inbox,
    press: (...given) => named(inbox.press(...given)),
    form: (...given) => named(inbox.form(...given)),
    submit: (...given) => named(inbox.submit(...given)),
    command: (...given) => named(inbox.command(...given)),
    reply: (...given) => named(inbox.reply(...given)),
  };
}

function isRefused(told: { readonly type: string }): told is Refused {
  return told.type === "refused";
}
