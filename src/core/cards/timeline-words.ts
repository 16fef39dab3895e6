import { firstLine, formatDuration } from "../text.ts";
import { aboutWords, campaignTimelineWords } from "./campaign-timeline-words.ts";
import { placeWords } from "./card.ts";

/** A row of the timeline, as far as its words need it. */
export interface TimelineFacts {
  readonly event: string;
  /** Null: it is about no goal. */
  readonly goalId: string | null;
  readonly actor: string | null;
  readonly via: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** One event in words for people: what happened, who did it where, how long it took. Unknown events keep their name. */
export function timelineWords(row: TimelineFacts): string {
  const who = row.actor === null ? "" : ` by ${row.actor}`;
  const where = row.via === null ? "" : ` ${placeWords(row.via)}`;
  const by = row.via === "campaign" ? " by its campaign" : `${who}${where}`;
  const said = (name: string): string => shown(row.detail[name]);
  switch (row.event) {
    case "goal.added":
      return `added${by}`;
    case "goal.edited":
      return `changed${by}: ${said("fields")}${said("now") === "" ? "" : `; it runs ${firstLine(said("now"), 200)} now, and ran ${firstLine(said("was"), 200)}`}`;
    case "goal.queued":
      return "queued: a worker may pick it up";
    case "goal.skipped":
      return `skipped${by}`;
    case "goal.paused":
      return `parked${by}`;
    case "goal.resumed":
      return said("day") === "" ? `resumed${by}` : `taken up again for day ${said("day")}`;
    case "goal.refused":
      return `refused: not enough left under the ${said("ceiling")}'s ceiling`;
    case "goal.complete":
    case "goal.failed":
    case "goal.deferred":
    case "goal.manual_followup":
      return `${row.event === "goal.manual_followup" ? "left to a person" : row.event.slice(5)}: ${firstLine(said("outcome"), 300)}`;
    case "run.started":
      return "picked up: the work begins";
    case "agent.first-action":
      return `first action: ${firstLine(said("text"), 200)}`;
    case "agent.refused":
      return `refused: its own process called "${said("what")}"; nothing was changed by it`;
    case "goal.interrupted":
      return said("reason") === ""
        ? `picked up again after an interruption (${said("interruptions")} in a row)`
        : `interrupted, there was no space (${said("interruptions")} in a row): ${firstLine(said("reason"), 300)}`;
    case "run.executed":
      return `executed: ${said("end")}, ${said("files")} changed files${commitWords(row.detail["commit"])}`;
    case "run.verified":
      return `verified, round ${said("round")}: ${said("pass") === "" ? "nothing passes" : `${said("pass")} pass`}${said("fail") === "" ? "" : `, ${said("fail")} fail`}`;
    case "loop.phase":
      return `${said("from")} → ${said("to")} (${said("reason")}): ${firstLine(said("summary"), 300)}`;
    case "goal.replayed":
      return `checked ${said("taskId")} again, ${said("mode")}: ${said("verdict")}`;
    case "loop.recovered":
      return `found after a crash: ${said("found")}${said("orphans") === "" ? "" : `, lost: ${said("orphans")}`}`;
    case "goal.push-refused":
      return `pushing was refused, round ${said("round")}: ${firstLine(said("reason"), 300)}`;
    case "recovery.retry":
      if (row.detail["isOwnCommand"] === true)
        return `failed (${said("kind")}): ${firstLine(said("error"), 200)}; is run again, in a fresh place`;
      return `failed (${said("kind")}): ${firstLine(said("error"), 200)}; tries again, rung ${said("rung")}, attempt ${said("attempt")}`;
    case "recovery.alternative":
      return `tries something else: ${firstLine(said("approach"), 200)} (${said("source")})`;
    case "recovery.no-alternative":
      return "nothing else is known to try on this rung";
    case "recovery.limited":
      return `the provider's limit is reached (${firstLine(said("error"), 200)}): waits until ${said("until")}; costs no attempt`;
    case "recovery.paused":
      return `nobody can go on: ${firstLine(said("error"), 200)}`;
    case "recovery.escalated":
      return `${row.detail["isOwnCommand"] === true ? "failed again" : "recovery has ended"} (${said("kind")}): ${firstLine(said("error"), 200)}; a person is asked`;
    case "recovery.again":
      if (row.detail["isOwnCommand"] === true) return "its command is run twice more";
      return `climbs the ladder again, number ${said("ladder")}`;
    case "recovery.sent-back":
      return `wanted to give up and was sent back; missing: ${said("missing")}`;
    case "session.tripped":
      return `session paused by itself: ${said("reason")}`;
    case "reply.read":
      return `read ${row.actor ?? "somebody"}'s reply as: ${firstLine(said("words"), 300)}`;
    case "reply.confirmed":
      return `reply confirmed${by}`;
    case "reply.dismissed":
      return `reading of a reply put aside${by}`;
    case "checkpoint.acknowledged":
      return `seen${by}; nothing is decided yet`;
    case "agent.not-followed":
      return said("why") === "guard-ended"
        ? "not isolated: the guard of its processes was ended by somebody"
        : "not isolated: its processes cannot be told from others on this machine";
    case "agent.tampered":
      return `changed refs that are not its own, which were put back: ${said("refs")}`;
    case "goal.checked":
      return `${said("criterion")} ${said("status") === "pass" ? "holds" : "does not hold"}, checked${by}`;
    case "goal.merge-requested":
      return `merge into ${said("into")} asked for${by}`;
    case "goal.merge-undone":
      return `merge undone${by}`;
    case "goal.merged":
      return `merged into ${said("into")}${commitWords(row.detail["commit"])}`;
    case "goal.merge-refused":
      return `not merged: ${firstLine(said("outcome"), 300)}`;
    case "goal.discarded":
      return `discarded${by}, kept as ${said("ref")}`;
    case "goal.ground-lost":
      return `parked: ${said("ground")}, which it is on top of, was ${said("how")}`;
    case "goal.ground-back":
      return `${said("ground")} is worked again: waits for it`;
    case "goal.ground-changed":
      return `${said("ground")}, which it is on top of, is worked again: to be verified anew`;
    case "goal.rebased":
      return `put on ${said("into")}, which has moved${commitWords(row.detail["tip"])}: ${said("why") === "verify" ? "verified" : "worked"} again`;
    case "goal.regrounded":
      return `put on top of ${said("on")} as it is now${commitWords(row.detail["commit"])}`;
    case "goal.found-in-git":
      return `found in git: ${said("news").replaceAll("-", " ")}${commitWords(row.detail["commit"])}`;
    case "checkpoint.asked":
      return `asked: ${aboutWords(said("kind")) ?? said("triggers")}`;
    case "checkpoint.changed":
      return `the question changed (version ${said("version")}): ${said("changed")}`;
    case "checkpoint.answered":
      return `answered ${said("choice")}${by}${waitedWords(row.detail["waitedMs"])}`;
    case "checkpoint.paused":
      return `${row.goalId === null ? "campaign" : "session"} paused from the card${by}`;
    case "checkpoint.reminded":
      return "reminded";
    case "checkpoint.expired":
      return row.goalId === null ? "nobody answered in time" : "nobody answered in time: parked";
    case "checkpoint.withdrawn":
      return "the question was withdrawn";
    case "reply.said":
      return `${row.actor ?? "somebody"} wrote${where}: ${firstLine(said("text"), 300)}`;
    case "reply.edited":
      return `${row.actor ?? "somebody"} changed a reply${where} to: ${firstLine(said("text"), 300)}; nothing was decided by that`;
    case "reply.deleted":
      return `${row.actor ?? "somebody"} deleted a reply${where}; what it decided stays`;
    case "message.posted":
      return `card posted to ${said("platform") === "slack" ? "Slack" : said("platform")}`;
    case "session.started":
      return `session started${by}`;
    case "session.joined":
      return `goals added to the session${by}`;
    case "session.paused":
      return `session paused${by}`;
    case "session.running":
      return `session resumed${by}`;
    case "session.stopping":
      return `session will stop after this goal${by}`;
    case "session.ended":
      return `session ended${by}${said("reason") === "" ? "" : `: ${said("reason")}`}`;
    case "standup.posted":
    case "weekly.posted":
      return `${row.event.split(".")[0] ?? ""} posted for ${said("runFor")}`;
    case "schedule.set":
      return `schedule ${said("name")} changed${by}`;
    case "repository.added":
      return `repository ${said("name")} added${by}`;
    default:
      return campaignTimelineWords(row, { by, said }) ?? row.event;
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "string" || typeof value === "number") return String(value);
  return "";
}

function commitWords(commit: unknown): string {
  return typeof commit === "string" ? `, commit ${commit.slice(0, 12)}` : "";
}

function waitedWords(waitedMs: unknown): string {
  return typeof waitedMs === "number" ? `, after ${formatDuration(waitedMs)}` : "";
}
