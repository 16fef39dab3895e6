import { expectedPeople, namesGroup, namesPerson } from "../core/chat-platforms.ts";
import { type Mirrors, parseMirrors } from "../core/checkpoints/mirrors.ts";
import { parseQuietHours, type QuietHours } from "../core/checkpoints/quiet.ts";
import { parseQuorums, type Quorums } from "../core/checkpoints/quorum.ts";
import { type Duties, parseDuties } from "../core/on-duty.ts";
import { parsePeople, type People } from "../core/people.ts";
import { parseWorkingDays } from "../core/working-days.ts";
import type { Reader } from "./reader.ts";

/** Who may decide, who is mentioned, and when. */
interface PeopleSettings {
  readonly approvers: readonly string[];
  readonly people: People;
  readonly duties: Duties;
  readonly second: string | null;
  readonly quietHours: QuietHours | null;
  readonly workingDays: readonly number[];
  readonly quorums: Quorums;
  readonly mirrors: Mirrors;
}

/** Reads the settings about people. `platforms`: the chats that are used; `places`: where cards can be shown beside the console. */
export function readPeople(
  reader: Reader,
  { platforms, places }: { readonly platforms: readonly string[]; readonly places: readonly string[] },
): PeopleSettings {
  const { value, right } = reader;
  const approvers = readApprovers(reader);
  const people = right("COS_PEOPLE", parsePeople(value("COS_PEOPLE") ?? ""))?.people ?? [];
  const electorate = { approvers, people, platforms };
  return {
    approvers,
    people,
    duties: right("COS_ON_DUTY", parseDuties(value("COS_ON_DUTY") ?? "", { approvers, people }))?.duties ?? [],
    second: readSecond(reader),
    quietHours: readQuietHours(reader),
    workingDays: readWorkingDays(reader),
    quorums: right("COS_QUORUM", parseQuorums(value("COS_QUORUM") ?? "", electorate))?.quorums ?? {},
    mirrors: right("COS_MIRRORS", parseMirrors(value("COS_MIRRORS") ?? "", places))?.mirrors ?? {},
  };
}

function readApprovers({ list, problem }: Reader): string[] {
  const approvers = list("COS_APPROVERS");
  if (!approvers.every((each) => namesPerson(each) || namesGroup(each)))
    problem("COS_APPROVERS", `${expectedPeople.personOrGroup}, separated by commas`);
  return approvers;
}

function readSecond({ value, problem }: Reader): string | null {
  const text = value("COS_SECOND");
  if (text !== null && !namesPerson(text)) problem("COS_SECOND", expectedPeople.person);
  return text;
}

function readQuietHours({ value, problem }: Reader): QuietHours | null {
  const text = value("COS_QUIET_HOURS");
  if (text === null) return null;
  const read = parseQuietHours(text);
  if (read === null) problem("COS_QUIET_HOURS", "two times of day that differ, such as 22:00-07:00");
  return read;
}

function readWorkingDays({ value, problem }: Reader): readonly number[] {
  const read = parseWorkingDays(value("COS_WORKING_DAYS") ?? "Mon-Fri");
  if (read === null) problem("COS_WORKING_DAYS", "days such as Mon-Fri or Mon,Wed,Fri");
  return read ?? [];
}
