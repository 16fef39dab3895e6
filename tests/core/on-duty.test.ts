import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { everMentioned, onDuty, parseDuties } from "../../src/core/on-duty.ts";

const approvers = ["slack:U1", "slack:U2", "slack:S9", "discord:7"];
const people = [
  { name: "ana", accounts: ["slack:U1", "discord:7", "console"] },
  { name: "ben", accounts: ["console", "console:ben"] },
  { name: "cai", accounts: ["console:cai", "slack:U2"] },
];
const monday = new Date("2026-11-23T12:00:00Z");
const saturday = new Date("2026-11-28T12:00:00Z");

function dutiesOf(text: string) {
  const read = parseDuties(text, { approvers, people });
  if (read.type === "wrong") throw new Error(read.expected);
  return read.duties;
}

describe("COS_ON_DUTY", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["", approvers, approvers],
    ["slack:U2", ["slack:U2"], ["slack:U2"]],
    ["slack:S9", ["slack:S9"], ["slack:S9"]],
    [" ana , slack:U2 ", ["slack:U1", "discord:7", "slack:U2"], ["slack:U1", "discord:7", "slack:U2"]],
    ["cai", ["slack:U2"], ["slack:U2"]],
    ["Mon-Fri=slack:U2;Sat,Sun=ana", ["slack:U2"], ["slack:U1", "discord:7"]],
    ["mon=slack:U2", ["slack:U2"], approvers],
    ["Fri-Mon=slack:U2;Sat=slack:U2", ["slack:U2"], ["slack:U2"]],
  ])("%s: on Monday and on Saturday [F-401]", (text, onMonday, onSaturday) => {
    const duties = dutiesOf(text);
    expect(onDuty(duties, approvers, { at: monday, zone: "UTC" })).toEqual(onMonday);
    expect(onDuty(duties, approvers, { at: saturday, zone: "UTC" })).toEqual(onSaturday);
  });

  it.each<[string, readonly string[]]>([
    ["", [...approvers, "slack:U5"]],
    ["Mon-Sat=slack:U2", ["slack:U2", "slack:U1", "slack:S9", "discord:7", "slack:U5"]],
    ["Mon-Fri=slack:U2;Sat,Sun=discord:@8", ["slack:U2", "discord:@8", "slack:U5"]],
    ["slack:U2", ["slack:U2", "slack:U5"]],
  ])("%s: whom something mentions on one day or another", (text, who) => {
    expect(everMentioned({ duties: dutiesOf(text), approvers, second: "slack:U5" })).toEqual(who);
  });

  it("counts days as clocks of the zone do", () => {
    const sunday = new Date("2026-11-29T23:30:00Z");
    const duties = dutiesOf("Mon=slack:U2;Sun=slack:U1");
    expect(onDuty(duties, approvers, { at: sunday, zone: "UTC" })).toEqual(["slack:U1"]);
    expect(onDuty(duties, approvers, { at: sunday, zone: "Europe/Berlin" })).toEqual(["slack:U2"]);
  });

  it.each([
    ["carl", "COS_PEOPLE"],
    ["ben", "COS_PEOPLE"],
    ["Monday=slack:U1", "Mon-Fri"],
    ["Mon-Fri=", "Mon-Fri"],
    ["Mon=slack:U1=x", "Mon-Fri"],
    ["slack:U1,,slack:U2", "COS_PEOPLE"],
    ["discord:8", "COS_APPROVERS does not name discord:8"],
    ["discord:@8;teams:1", "COS_PEOPLE"],
  ])("%s is refused, and stops the start", (text, words) => {
    const read = parseDuties(text, { approvers, people });
    expect(read.type === "wrong" ? read.expected : "").toContain(words);
  });

  it("names the setting at the start, and takes ids of enterprise grids [F-406]", () => {
    const parsed = parseConfig({ COS_ON_DUTY: "slack:U1" });
    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([expect.stringContaining("COS_ON_DUTY: found ")]);
    expect(parseConfig({ COS_APPROVERS: "slack:W012A3CDE", COS_ON_DUTY: "slack:W012A3CDE" }).type).toBe("ok");
  });
});
