/** The other processes that listen: each greets when it begins to, and is greeted back. */
export interface Peers {
  areThere(): boolean;
  /** Greets all of them. */
  greet(): void;
  /** A greeting, or anything else that another process has said. */
  hear(what: string, sender: string): void;
  /** Says farewell, and greets nobody any more. */
  leave(): void;
}

/** Whoever was killed said no farewell: who does not greet back is forgotten. */
const greetEveryMs = 300_000;
const longestGreetingMs = 10_000;

/** `own`: how this process calls itself. `isHeard`: whether it could be answered now. */
export function openPeers(own: string, say: (payload: string) => void, isHeard: () => boolean): Peers {
  const peers = new Set<string>();
  /** Those that were greeted again and have said nothing since. */
  let silent = new Set<string>();

  function greetAgain(): void {
    if (peers.size === 0) return;
    silent = new Set(peers);
    say(`hello ${own}`);
    setTimeout(() => {
      if (isHeard()) for (const peer of silent) peers.delete(peer);
    }, longestGreetingMs).unref();
  }

  const timer = setInterval(greetAgain, greetEveryMs).unref();
  return {
    areThere: () => peers.size > 0,
    greet: () => say(`hello ${own}`),
    hear(what, sender) {
      silent.delete(sender);
      if (what === "hello" || what === "here") peers.add(sender);
      if (what === "hello") say(`here ${own}`);
      if (what === "bye") peers.delete(sender);
    },
    leave() {
      clearInterval(timer);
      say(`bye ${own}`);
    },
  };
}
