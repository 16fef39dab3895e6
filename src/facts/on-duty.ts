import { nextAwake } from "../core/checkpoints/quiet.ts";
import { onDuty } from "../core/on-duty.ts";
import type { Deps } from "../deps.ts";

/** Whom a message mentions that asks something at this time (D44): who is on duty when people may next be notified. */
export function whoIsAsked(
  {
    duties,
    approvers,
    quietHours,
    timezone: zone,
  }: Pick<Deps["config"], "duties" | "approvers" | "quietHours" | "timezone">,
  at: Date,
): string[] {
  return onDuty(duties, approvers, { at: nextAwake(at, quietHours, zone), zone });
}
