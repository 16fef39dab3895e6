-- What is told to other processes is told after the commit, by a statement of its own: a notification in a commit makes others wait for it.
DROP TRIGGER "tell_inserted" ON "cos"."messages";
--> statement-breakpoint
DROP TRIGGER "tell_updated" ON "cos"."messages";
--> statement-breakpoint
DROP TRIGGER "tell_stop" ON "cos"."goals";
--> statement-breakpoint
DROP TRIGGER "tell_answer" ON "cos"."checkpoints";
--> statement-breakpoint
DROP FUNCTION "cos"."tell_messages"();
--> statement-breakpoint
DROP FUNCTION "cos"."tell_stop"();
--> statement-breakpoint
DROP FUNCTION "cos"."tell_answer"();
