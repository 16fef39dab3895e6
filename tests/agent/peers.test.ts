import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { lookAtPeer } from "../../src/agent/process/peers.ts";
import { sessionsAbove, traceProcess } from "../../src/agent/process/trace.ts";

const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find((each) => each.family === "IPv4" && !each.internal)?.address;

/** The other end of a connection, as the kernel shows it: here both ends are ours. */
describe("the peer of a connection [F-103]", () => {
  const open: { destroy(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.destroy();
  });

  async function connection(listens: string, to: string): Promise<{ accepted: Socket; client: Socket }> {
    const server = createServer();
    open.push({ destroy: () => server.close() });
    await new Promise<void>((resolve) => server.listen(0, listens, resolve));
    const accepting = new Promise<Socket>((resolve) => server.once("connection", resolve));
    const client = connect((server.address() as AddressInfo).port, to);
    const accepted = await accepting;
    open.push(client, accepted);
    return { accepted, client };
  }

  function look({ remoteAddress, remotePort, localAddress, localPort }: Socket) {
    return lookAtPeer({
      remoteAddress: remoteAddress ?? "",
      remotePort: remotePort ?? 0,
      localAddress: localAddress ?? "",
      localPort: localPort ?? 0,
    });
  }

  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["::", "::1"],
    ["0.0.0.0", own ?? "127.0.0.1"],
    ["127.0.0.2", "127.0.0.2"],
  ])("is found with its user when we listen on %s and it connects to %s", async (listens, to) => {
    const { accepted } = await connection(listens, to);

    expect(look(accepted)).toEqual({
      canSee: true,
      remoteAddress: null,
      uid: process.getuid?.() ?? null,
      holders: [traceProcess(process.pid)],
    });
  });

  it("is nobody when its socket was closed", async () => {
    const { accepted, client } = await connection("127.0.0.1", "127.0.0.1");
    const { remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 } = accepted;

    client.destroy();
    await new Promise((resolve) => client.once("close", resolve));

    const seen = lookAtPeer({ remoteAddress, remotePort, localAddress, localPort });
    expect(seen).toMatchObject({ remoteAddress: null, uid: null, holders: [] });
  });

  it("of another machine is not looked for", () => {
    const connection = {
      remoteAddress: "::ffff:192.0.2.7",
      remotePort: 1,
      localAddress: "::ffff:192.0.2.1",
      localPort: 2,
    };

    expect(lookAtPeer(connection)).toMatchObject({ remoteAddress: "192.0.2.7", holders: [] });
  });

  it("our own session is one of those above us", () => {
    const self = traceProcess(process.pid);

    expect(self.type === "unmarked" && sessionsAbove(process.pid).has(self.session)).toBe(true);
  });
});
