-- Whether nothing was committed since a statement began: it sees what is so by then, not as of the beginning of its statement.
CREATE FUNCTION "cos"."is_current"(seen pg_snapshot, locked json) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
begin
  return seen::text = pg_current_snapshot()::text;
end
$$;
--> statement-breakpoint
-- The repository for a goal that no session takes, locked: its row is looked at, and open sessions, when it is.
CREATE FUNCTION "cos"."repository_to_add_to"(wanted text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
begin
  perform from cos.repositories r where r.repository_id = wanted and r.removed_at is null for no key update;
  if not found then
    raise exception 'repository % was removed', wanted using errcode = 'CSRRM';
  end if;
  if exists (select from cos.sessions s where s.repository_id = wanted and s.status <> 'ended') then
    raise exception 'a session is open on repository %', wanted using errcode = 'CSSOP';
  end if;
  return wanted;
end
$$;
