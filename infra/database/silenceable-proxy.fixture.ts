import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can fall silent like a vanished machine: its connections stay open without data. */
export async function silenceableProxy(target: URL): Promise<{ url: string; silence(): void; speak(): void; close(): void }> {
  let silent = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (silent) return void sockets.add(near);
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => void (silent || to.write(bytes)));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence: () => {
      silent = true;
    },
    speak: () => {
      silent = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
