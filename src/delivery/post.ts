import { drawPng } from "../chart/png.ts";
import type { Post } from "../chat/platform.ts";
import { chatCard } from "../core/cards/chat-card.ts";
import { linkedSubjects } from "../core/cards/card.ts";
import { pictureAlone, type PictureUnderWay } from "../core/cards/picture.ts";
import { recoverCard } from "../core/cards/plain.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { hidePaths } from "../core/text/server-paths.ts";
import { keepPicture } from "../db/delivered-messages.ts";
import { addressesOf, type Message } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/** The thread of a message, as its platform gets it. */
export type PostThread = Pick<Post, "threadAddress" | "belongsTo">;

/** The message in the form that is passed to its platform. */
export async function postOf(
  deps: Pick<Deps, "database" | "config">,
  message: Message,
  { threadAddress, belongsTo }: PostThread,
): Promise<Post> {
  const { db } = deps.database;
  const { channel, plain, messageId, version, pictureUnderWay, postingSince } = message;
  const whole = plain ? recoverCard(message.card) : message.card;
  // The console runs on this machine, so server paths need not be hidden there.
  const card = message.platform === "console" ? whole : chatCard(whole, deps.config.serverPlaces);
  const addresses = await addressesOf(db, message.platform, linkedSubjects(card));
  const post = {
    channel,
    key: `cos-${messageId}`,
    version,
    threadAddress,
    ...(belongsTo === undefined ? {} : { belongsTo: hidePaths(belongsTo, deps.config.serverPlaces) }),
    card,
    plain,
    addresses,
    ...(pictureUnderWay === null ? {} : { underWay: { ...pictureUnderWay, mayBeShown: postingSince !== null } }),
  };
  const shown = pictureAlone(card);
  if (shown === null) return post;
  const picture = {
    draw: () => drawPng(weekChart(shown.picture.week, "light"), chartSize.width),
    keep: (underWay: PictureUnderWay) => keepPicture(db, messageId, underWay),
  };
  return { ...post, picture };
}
