import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * What happens to connections. `open`: they work. `stopped`: existing ones end and new ones are refused. `silent`: they stay and nothing passes,
 * as when a cable is pulled. `cut`: each is reset after a moment. `slow`: added latency, limited bandwidth.
 */
export type NetworkState = "open" | "stopped" | "silent" | "cut" | "slow";

/** A TCP proxy in front of a part of the program, which injects network faults. */
export interface TcpProxy {
  port: number;
  address: string;
  set(state: NetworkState): Promise<void>;
  close(): Promise<void>;
}

/** Latency and bandwidth of a slow connection. */
const slow = { ms: 400, bytesPerSecond: 200_000 };
/** Mean lifetime of a connection while connections are cut. */
const cutAfterMs = 300;

/** @param target where it forwards to; read at each connection */
export async function openTcpProxy(target: () => { port: number; host?: string }): Promise<TcpProxy> {
  let state: NetworkState = "open";
  const open = new Set<Socket>();
  const servers = new Set<Server>();
  /** Data that waits until connections work again. */
  let held: (() => void)[] = [];

  function pass(from: Socket, to: Socket): void {
    let freeAt = 0;
    /** Delayed data in order. Each timer delivers the first, because timers may fire out of order. */
    const late: (() => void)[] = [];
    const send = (deliver: () => void, bytes: number): void => {
      if (state === "silent") return void held.push(() => send(deliver, bytes));
      if (state !== "slow" && late.length === 0) return void deliver();
      const now = performance.now();
      freeAt = Math.max(now + (state === "slow" ? slow.ms : 0), freeAt) + (bytes / slow.bytesPerSecond) * 1_000;
      late.push(deliver);
      setTimeout(() => late.shift()?.(), freeAt - now);
    };
    from.on("data", (bytes: Buffer) => send(() => void (to.destroyed || to.write(bytes)), bytes.length));
    from.on("end", () => send(() => void to.end(), 0));
    from.on("error", () => undefined);
    from.on("close", (failed) => {
      open.delete(from);
      if (failed) to.destroy();
    });
  }

  const accept = (near: Socket): void => {
    const far = connect({ host: "127.0.0.1", ...target(), allowHalfOpen: true });
    // The target does not listen: reset is as close to a refusal as a proxy gets.
    far.once("error", () => near.resetAndDestroy());
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
    }
    pass(near, far);
    pass(far, near);
    if (state === "cut") cutSoon(near, far);
  };
  const cutSoon = (...sockets: Socket[]): void => {
    setTimeout(
      () => {
        for (const socket of sockets) if (!socket.destroyed) socket.resetAndDestroy();
      },
      2 * cutAfterMs * Math.random(),
    );
  };

  async function listen(port: number): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, accept);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    servers.add(server);
    return (server.address() as AddressInfo).port;
  }
  async function close(): Promise<void> {
    const closing = [...servers].map((server) => once(server.close(), "close"));
    servers.clear();
    for (const socket of open) socket.destroyed || socket.resetAndDestroy();
    open.clear();
    await Promise.all(closing);
  }

  const port = await listen(0);
  return {
    port,
    address: `127.0.0.1:${port}`,
    async set(next) {
      if (state === next) return;
      state = next;
      if (next === "stopped") await close();
      else if (servers.size === 0) await listen(port);
      if (next === "cut") for (const socket of open) cutSoon(socket);
      if (next === "silent") return;
      const waiting = held;
      held = [];
      for (const deliver of waiting) deliver();
    },
    close,
  };
}
