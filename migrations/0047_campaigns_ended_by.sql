ALTER TABLE "cos"."campaigns" ADD COLUMN "ended_by" text;--> statement-breakpoint
-- Who ended a campaign stood in the words of its reason only.
update cos.campaigns
  set ended_by = substring(end_reason from '^(?:Stopped|Given up) by (.*?)(?:\.|: its money is used up\.)$')
  where state = 'failed' and end_reason ~ '^(Stopped|Given up) by ';
