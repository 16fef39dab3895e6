-- What nobody has set comes on working days, whichever they are now.
UPDATE "cos"."schedules" SET cron = '0 9 * * D'
WHERE name IN ('standup', 'campaigns') AND cron ~ '^0 9 \* \* [0-6](,[0-6])*$'
  AND NOT EXISTS (
    SELECT 1 FROM "cos"."timeline" t
    WHERE t.event = 'schedule.set' AND t.detail ->> 'name' = schedules.name AND t.detail ? 'cron');
