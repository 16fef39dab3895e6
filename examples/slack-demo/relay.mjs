// Inside the network namespace: a Unix socket, which namespaces share, to the port that only exists there.
import { connect, createServer } from "node:net";

const [socket = "", port = ""] = process.argv.slice(2);

createServer((outer) => {
  const inner = connect(Number(port), "127.0.0.1");
  outer.pipe(inner).pipe(outer);
  inner.on("error", () => outer.destroy());
  inner.on("close", () => outer.destroy());
  outer.on("error", () => inner.destroy());
  outer.on("close", () => inner.destroy());
}).listen(socket);
