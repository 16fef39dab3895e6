/** The other processes that listen. Each greets the others when it begins to listen, and they greet back. */
export interface Peers {
  areThere(): boolean;
  /** Greets all of them. */
  greet(): void;
  /** Handles a greeting or any other message of another process. */
  hear(what: string, sender: string): void;
  /** Sends a farewell, and greets nobody any more. */
  leave(): void;
}

/** A process that was killed sent no farewell. So a process that does not greet back is removed. */
const greetEveryMs = 300_000;
const longestGreetingMs = 10_000;

/** `own`: the name of this process. `isHeard`: whether answers can be received now. */
export function openPeers(own: string, say: (payload: string) => void, isHeard: () => boolean): Peers {
  const peers = new Set<string>();
  /** The peers that have sent nothing since the last greeting. */
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
