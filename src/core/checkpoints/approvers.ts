/** Who may decide: the people in COS_APPROVERS on chat platforms, the local person everywhere else (D1). */

/** A person's relation to the channel with the cards. `unknown`: the platform did not say. */
export type Membership = "member" | "guest" | "outside" | "unknown";

/** A person on a chat platform. */
export interface Member {
  /** The account, as written in COS_APPROVERS: `slack:U1A2B3C4D`. */
  readonly id: string;
  /** False when the platform has deactivated the account. */
  readonly isActive: boolean;
  /** The person's groups at this moment, as written in COS_APPROVERS: `discord:@123`. */
  readonly groups?: readonly string[];
  /** Groups for which the platform did not say whether the person is a member. */
  readonly inDoubt?: readonly string[];
  readonly membership: Membership;
}

export type Permission =
  | { readonly type: "allowed" }
  /** `ask`: who may do it instead, as written in COS_APPROVERS; only those on the member's own platform. */
  | {
      readonly type: "refused";
      readonly reason: "nobody-may" | "not-an-approver" | "groups-unknown" | "deactivated";
      readonly ask: readonly string[];
    };

/**
 * Decides whether a person may change something. `member` is null for the local person: the terminal, or the console behind its
 * token. Checked when the person clicks, not when the card is posted. D1.
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
  // A person who may be an approver must not be told that they are not one.
  const isInDoubt = (member.inDoubt ?? []).some((each) => ask.includes(each));
  return { type: "refused", reason: isInDoubt ? "groups-unknown" : "not-an-approver", ask };
}

export type MayRead =
  | { readonly type: "allowed" }
  | { readonly type: "refused"; readonly reason: Exclude<Membership, "member"> | "groups-unknown" | "deactivated" };

/** Decides whether a person may read cards, lists and diffs: approvers, and channel members who are not guests (D43). */
export function mayRead(member: Member | null, approvers: readonly string[]): MayRead {
  if (member === null) return { type: "allowed" };
  const may = mayChange(member, approvers);
  if (may.type === "allowed") return may;
  if (!member.isActive) return { type: "refused", reason: "deactivated" };
  if (member.membership === "member") return { type: "allowed" };
  return { type: "refused", reason: may.reason === "groups-unknown" ? may.reason : member.membership };
}
