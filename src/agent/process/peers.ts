import { endianness, networkInterfaces } from "node:os";
import type { PeerFacts } from "../../core/callers.ts";
import { canSeeProcesses, holdsSocket, pids, readProc } from "./processes.ts";
import { traceProcess } from "./trace.ts";

/** A TCP connection to us, with the ends as Node names them. */
export interface Connection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/**
 * Reads what the kernel shows of the other end of a connection. It reads the sockets of every visible process, which takes some
 * milliseconds. Source: proc(5), `/proc/net/tcp`: local is the peer, remote is us; a socket without a living process has inode 0.
 */
export function lookAtPeer(connection: Connection): PeerFacts {
  const address = plain(connection.remoteAddress);
  if (!isOwn(address, connection)) return { canSee: true, remoteAddress: address, uid: null, holders: [] };
  const sockets = peerSockets(connection);
  const inodes = new Set(sockets.map((socket) => socket.inode));
  const holders = inodes.size === 0 ? [] : pids().filter((pid) => holdsSocket(pid, inodes));
  return {
    canSee: canSeeProcesses(),
    remoteAddress: null,
    uid: sockets[0]?.uid ?? null,
    holders: holders.map(traceProcess),
  };
}

interface PeerSocket {
  readonly inode: string;
  readonly uid: number;
}

function peerSockets({ remoteAddress, remotePort, localAddress, localPort }: Connection): readonly PeerSocket[] {
  const peer = `${plain(remoteAddress)} ${remotePort}`;
  const ours = `${plain(localAddress)} ${localPort}`;
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    (readProc(table) ?? "")
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
        if (inode === undefined || inode === "0" || local === undefined || remote === undefined) return [];
        return endOf(local) === peer && endOf(remote) === ours ? [{ inode, uid: Number(uid) }] : [];
      }),
  );
}

/** Converts `0100007F:0BB8` to `127.0.0.1 3000`. The address is in words of four bytes, each in the machine's byte order. */
function endOf(text: string): string {
  const [address = "", port = ""] = text.split(":");
  const words = address.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => {
    const pairs = word.match(/../g) ?? [];
    return endianness() === "LE" ? pairs.reverse() : pairs;
  });
  const numbers = bytes.map((byte) => Number.parseInt(byte, 16));
  const name =
    numbers.length === 4
      ? numbers.join(".")
      : Array.from({ length: 8 }, (_, at) => `${bytes[at * 2]}${bytes[at * 2 + 1]}`).join(":");
  return `${plain(name)} ${Number.parseInt(port, 16)}`;
}

/** Returns one spelling for each address: an IPv4-mapped IPv6 address becomes the IPv4 address. */
function plain(address: string): string {
  if (!address.includes(":")) return address;
  const [bare = ""] = address.split("%", 1);
  if (!URL.canParse(`http://[${bare}]`)) return address;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical);
  if (mapped === null) return canonical;
  const bytes = [mapped[1], mapped[2]].flatMap((group) => {
    const number = Number.parseInt(group ?? "", 16);
    return [number >> 8, number & 255];
  });
  return bytes.join(".");
}

function isOwn(address: string, { localAddress }: Connection): boolean {
  if (address === "::1" || address.startsWith("127.") || address === plain(localAddress)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => plain(own.address) === address));
}
