/** Discord ids, which begin with a timestamp, and the addresses that are made of them: `CHANNEL/MESSAGE`. */

const discordEpochMs = 1_420_070_400_000;

/** Returns the smallest id that a message of that moment can have. */
export function snowflakeAt(at: Date): string {
  return (BigInt(Math.max(at.getTime() - discordEpochMs, 0)) << 22n).toString();
}

/** Returns the time at which the object with this id was created. */
export function momentOf(snowflake: string): Date {
  return new Date(Number(BigInt(snowflake) >> 22n) + discordEpochMs);
}

/** Returns a message's address as it is stored: `channel/message`. */
export function addressOf(channel: string, id: string): string {
  return `${channel}/${id}`;
}

/** Splits an address into channel and message; a missing part is empty. */
export function partsOf(address: string): { readonly channel: string; readonly id: string } {
  const [channel = "", id = ""] = address.split("/");
  return { channel, id };
}
