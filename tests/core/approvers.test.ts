import { expect, it } from "vitest";
import { type Member, mayChange, mayRead } from "../../src/core/checkpoints/approvers.ts";

/** Who may decide, and who may read: by COS_APPROVERS (D1) and by the channel (D43). */

const approvers = ["slack:U1", "slack:S9", "discord:7", "discord:@8"];
const member = (more: Partial<Member>): Member => ({ id: "slack:U2", isActive: true, membership: "member", ...more });
const ofSlack = ["slack:U1", "slack:S9"];

it.each<[string, Partial<Member>, string, (readonly string[])?]>([
  ["named", { id: "slack:U1" }, "allowed"],
  ["in a group that is named", { groups: ["slack:S3", "slack:S9"] }, "allowed"],
  ["in groups that are not", { groups: ["slack:S3", "slack:S4"] }, "not-an-approver", ofSlack],
  ["whose number another platform's approver has", { id: "slack:7" }, "not-an-approver", ofSlack],
  ["in a group of another platform that is named", { groups: ["discord:@8"] }, "not-an-approver", ofSlack],
  ["on a platform where nobody is named", { id: "teams:U1" }, "nobody-may", []],
  ["on a platform that only begins like one of theirs", { id: "s:U1" }, "nobody-may", []],
  ["deactivated and named: somebody else may", { id: "slack:U1", isActive: false }, "deactivated", ["slack:S9"]],
  ["perhaps in a group that is named", { inDoubt: ["slack:S3", "slack:S9"] }, "groups-unknown", ofSlack],
  ["perhaps in groups that are not", { inDoubt: ["slack:S3"] }, "not-an-approver", ofSlack],
  ["named, and perhaps in groups", { id: "slack:U1", inDoubt: ["slack:S9"] }, "allowed"],
])("may somebody decide who is %s: %s", (_who, more, expected, ask) => {
  const may = mayChange(member(more), approvers);

  expect(may).toEqual(expected === "allowed" ? { type: "allowed" } : { type: "refused", reason: expected, ask });
});

it.each<[string, Partial<Member>, string]>([
  ["an approver", { id: "slack:U1", membership: "outside" }, "allowed"],
  ["a member of the channel", {}, "allowed"],
  ["a member where nobody may decide", { id: "teams:U1" }, "allowed"],
  ["a guest", { membership: "guest" }, "guest"],
  ["outside of the channel", { membership: "outside" }, "outside"],
  ["somebody of whom the platform did not say", { membership: "unknown" }, "unknown"],
  ["a guest who is perhaps an approver", { membership: "guest", inDoubt: ["slack:S9"] }, "groups-unknown"],
  ["deactivated, though a member", { isActive: false }, "deactivated"],
  ["an approver who is deactivated", { id: "slack:U1", isActive: false }, "deactivated"],
])("may somebody read who is %s: %s", (_who, more, expected) => {
  const may = mayRead(member(more), approvers);

  expect(may).toEqual(expected === "allowed" ? { type: "allowed" } : { type: "refused", reason: expected });
});

it("the local person may do both, whoever is named", () => {
  expect([mayChange(null, []), mayRead(null, approvers)]).toEqual([{ type: "allowed" }, { type: "allowed" }]);
});
