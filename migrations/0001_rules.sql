-- What the tables themselves cannot say.

-- Append-only: the audit trail, money, evidence and the timeline are never changed.
create function cos.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create trigger append_only before update or delete on cos.decisions for each row execute function cos.refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on cos.spend for each row execute function cos.refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on cos.evidence for each row execute function cos.refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on cos.timeline for each row execute function cos.refuse_change();
--> statement-breakpoint

-- A settled checkpoint stays as it was settled (D10).
create function cos.keep_settled_checkpoint() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'checkpoint % is already %', old.checkpoint_id, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger keep_settled before update on cos.checkpoints for each row execute function cos.keep_settled_checkpoint();
--> statement-breakpoint

-- A turn never goes back (D4).
create function cos.keep_turn() returns trigger language plpgsql as $$
begin
  if new.turn < old.turn then
    raise exception 'goal % cannot go back from turn % to %', old.goal_id, old.turn, new.turn using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger keep_turn before update on cos.goals for each row execute function cos.keep_turn();
--> statement-breakpoint

-- What a call of an agent costs: its settled amount, else the largest report; committed also counts the reservation (D22).
create view cos.call_costs as
select call_id, goal_id, run_id, session_id, day,
  bool_or(kind = 'settled') as is_settled,
  coalesce(max(amount_micro_usd) filter (where kind = 'settled'), max(amount_micro_usd)) as committed_micro_usd,
  coalesce(max(amount_micro_usd) filter (where kind = 'settled'),
           max(amount_micro_usd) filter (where kind = 'reported'), 0) as spent_micro_usd,
  coalesce(bool_or(is_estimated) filter (where kind = 'settled'), false) as is_estimated
from cos.spend group by call_id, goal_id, run_id, session_id, day;
--> statement-breakpoint

-- Somebody should look: pages and delivery listen for messages, workers for goals that were asked to stop.
create sequence cos.message_changes;
--> statement-breakpoint
create function cos.number_message_change() returns trigger language plpgsql as $$
begin
  new.changed := nextval('cos.message_changes');
  return new;
end $$;
--> statement-breakpoint
create trigger number_change before insert or update on cos.messages for each row execute function cos.number_message_change();
--> statement-breakpoint
create function cos.tell_messages() returns trigger language plpgsql as $$
begin
  perform pg_notify('cos', 'messages');
  return null;
end $$;
--> statement-breakpoint
create trigger tell after insert or update on cos.messages for each statement execute function cos.tell_messages();
--> statement-breakpoint
create function cos.tell_stop() returns trigger language plpgsql as $$
begin
  perform pg_notify('cos', 'stop ' || new.goal_id);
  return null;
end $$;
--> statement-breakpoint
create trigger tell_stop after update of stop_requested on cos.goals for each row
  when (new.stop_requested is not null and new.stop_requested is distinct from old.stop_requested) execute function cos.tell_stop();
--> statement-breakpoint
create function cos.tell_answer() returns trigger language plpgsql as $$
begin
  perform pg_notify('cos', 'answered ' || new.checkpoint_id);
  return null;
end $$;
--> statement-breakpoint
create trigger tell_answer after update of status on cos.checkpoints for each row
  when (new.status <> 'pending') execute function cos.tell_answer();
