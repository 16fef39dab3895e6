/** Ids of Discord, which begin with their time, and the addresses that are made of them: `CHANNEL/MESSAGE`. */

const discordEpochMs = 1_420_070_400_000;

/** The least id that a message of that moment can have: ids of Discord begin with their time. */
export function snowflakeAt(at: Date): string {
  return (BigInt(Math.max(at.getTime() - discordEpochMs, 0)) << 22n).toString();
}

/** When what carries this id was made. */
export function momentOf(snowflake: string): Date {
  return new Date(Number(BigInt(snowflake) >> 22n) + discordEpochMs);
}

/** A message's address as it is stored: `channel/message`. */
export function addressOf(channel: string, id: string): string {
  return `${channel}/${id}`;
}

/** The channel and message of an address; a part that is missing is empty. */
export function partsOf(address: string): { readonly channel: string; readonly id: string } {
  const [channel = "", id = ""] = address.split("/");
  return { channel, id };
}
