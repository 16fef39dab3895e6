-- A statement that touched no row tells nobody: delivery hears what it says itself, so an untold truth would be an endless echo.
drop trigger tell on cos.messages;
--> statement-breakpoint
create or replace function cos.tell_messages() returns trigger language plpgsql as $$
begin
  if exists (select 1 from touched) then
    perform pg_notify('cos', 'messages');
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger tell_inserted after insert on cos.messages referencing new table as touched
  for each statement execute function cos.tell_messages();
--> statement-breakpoint
create trigger tell_updated after update on cos.messages referencing new table as touched
  for each statement execute function cos.tell_messages();
