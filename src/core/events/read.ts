import { type EventDetails, type EventName, eventShapes } from "./event.ts";

/** A row of the timeline as it is stored. */
export interface StoredEvent {
  readonly event: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An event with its details, as it was read. */
export type KnownEvent<Name extends EventName = EventName> = {
  readonly [Each in Name]: { readonly event: Each; readonly detail: EventDetails[Each] };
}[Name];

/** An event whose name or details this version does not know. */
export interface OtherEvent {
  readonly event: "other";
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Parses a stored row. This is the only reader of names and details. It never throws. */
export function readEvent<Row extends StoredEvent>(row: Row): Omit<Row, keyof StoredEvent> & (KnownEvent | OtherEvent) {
  if (isKnown(row)) return row;
  const { event: name, detail, ...rest } = row;
  return { ...rest, event: "other", name, detail };
}

/** Returns the row as stored, for scripts, which know events only by name. */
export function storedEvent<Row extends KnownEvent | OtherEvent>(row: Row): Omit<Row, "name"> & StoredEvent {
  if (row.event !== "other") return row;
  const { name, ...rest } = row;
  return { ...rest, event: name };
}

/** True when the event has one of these names. */
export function isEvent<Row extends KnownEvent | OtherEvent, Name extends EventName>(
  row: Row,
  ...names: readonly Name[]
): row is Row & KnownEvent<Name> {
  return names.some((name) => name === row.event);
}

function isKnown<Row extends StoredEvent>(row: Row): row is Row & KnownEvent {
  return isName(row.event) && eventShapes[row.event].safeParse(row.detail).success;
}

function isName(name: string): name is EventName {
  return Object.hasOwn(eventShapes, name);
}
