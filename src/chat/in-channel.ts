import { outsideThread } from "../core/cards/outside-thread.ts";
import type { Post } from "./platform.ts";

/** Returns the post as it is shown in the channel: a post whose thread does not exist says what it belongs to. */
export function inChannel(post: Post): Post {
  const { belongsTo } = post;
  if (belongsTo === undefined) return post;
  return { ...post, card: outsideThread(post.card, belongsTo, post.plain) };
}
