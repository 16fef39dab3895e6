/** Who may decide: the people of COS_APPROVERS on chat platforms, the local person everywhere else (D1). */

/** How somebody stands to the channel where cards are posted; `unknown`: the platform did not say. */
export type Membership = "member" | "guest" | "outside" | "unknown";

/** Somebody on a chat platform. */
export interface Member {
  /** As COS_APPROVERS names them: `slack:U1A2B3C4D`. */
  readonly id: string;
  /** False: the platform has deactivated the account. */
  readonly isActive: boolean;
  /** The groups that they are in at this moment, as COS_APPROVERS names them: `discord:@123`. */
  readonly groups?: readonly string[];
  /** Those of which their platform did not say whether they are in them. */
  readonly inDoubt?: readonly string[];
  readonly membership: Membership;
}

export type Permission =
  | { readonly type: "allowed" }
  /** `ask`: who may do it instead, as COS_APPROVERS names them; only those of the member's own platform. */
  | {
      readonly type: "refused";
      readonly reason: "nobody-may" | "not-an-approver" | "groups-unknown" | "deactivated";
      readonly ask: readonly string[];
    };

/**
 * Whether somebody may change something. `member` null is the local person: the terminal, or the console behind its
 * token. Checked when they click, not when the card was posted. D1.
 */
export function mayChange(member: Member | null, approvers: readonly string[]): Permission {
  if (member === null) return { type: "allowed" };

  const platform = member.id.slice(0, member.id.indexOf(":") + 1);
  const ask = approvers.filter((each) => each.startsWith(platform));
  if (ask.length === 0) return { type: "refused", reason: "nobody-may", ask };
  if (!member.isActive)
    return { type: "refused", reason: "deactivated", ask: ask.filter((each) => each !== member.id) };
  const isNamed = [member.id, ...(member.groups ?? [])].some((each) => ask.includes(each));
  if (isNamed) return { type: "allowed" };
  // Who may be an approver after all is not told that they are none.
  const isInDoubt = (member.inDoubt ?? []).some((each) => ask.includes(each));
  return { type: "refused", reason: isInDoubt ? "groups-unknown" : "not-an-approver", ask };
}

export type MayRead =
  | { readonly type: "allowed" }
  | { readonly type: "refused"; readonly reason: Exclude<Membership, "member"> | "groups-unknown" | "deactivated" };

/** Whether somebody may read what cards, lists and diffs say: approvers, and members of the channel who are no guests (D43). */
export function mayRead(member: Member | null, approvers: readonly string[]): MayRead {
  if (member === null) return { type: "allowed" };
  const may = mayChange(member, approvers);
  if (may.type === "allowed") return may;
  if (!member.isActive) return { type: "refused", reason: "deactivated" };
  if (member.membership === "member") return { type: "allowed" };
  return { type: "refused", reason: may.reason === "groups-unknown" ? may.reason : member.membership };
}
