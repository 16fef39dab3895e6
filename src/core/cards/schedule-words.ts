/** The settings of a schedule that were changed. */
export interface ScheduleChanges {
  readonly cron?: string;
  readonly onMissing?: "once" | "skip";
  readonly isOn?: boolean;
}

/** "30 8 * * 1-5, on, missed ones are skipped": the changes in words. */
export function scheduleWords({ cron, onMissing, isOn }: ScheduleChanges): string {
  const missing = onMissing === "once" ? "only the newest missed one runs later" : "missed ones are skipped";
  return [
    ...(cron === undefined ? [] : [cron]),
    ...(isOn === undefined ? [] : [isOn ? "on" : "off"]),
    ...(onMissing === undefined ? [] : [missing]),
  ].join(", ");
}
