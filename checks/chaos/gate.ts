import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * What befalls connections. `open`: nothing. `stopped`: those there are end, and new ones are refused. `silent`: they stand and nothing passes, as
 * when a cable is pulled. `cut`: each is reset again and again after a moment. `slow`: every piece comes late, and few bytes a second.
 */
export type Weather = "open" | "stopped" | "silent" | "cut" | "slow";

/** A TCP line to a part of the program, at an address of its own, that trouble can be made on. */
export interface Gate {
  port: number;
  address: string;
  set(weather: Weather): Promise<void>;
  close(): Promise<void>;
}

/** How late a piece comes, and how many bytes pass in a second, when it is slow. */
const slow = { ms: 400, bytesPerSecond: 200_000 };
/** A connection lives so long, on the average, while lines are cut. */
const cutAfterMs = 300;

/** @param target where it leads; asked at each connection */
export async function openGate(target: () => { port: number; host?: string }): Promise<Gate> {
  let weather: Weather = "open";
  const open = new Set<Socket>();
  const servers = new Set<Server>();
  /** What waits for better weather. */
  let held: (() => void)[] = [];

  function pass(from: Socket, to: Socket): void {
    let freeAt = 0;
    /** What is on its way, in its order: each timer lets the first one through, for timers may come late and out of theirs. */
    const late: (() => void)[] = [];
    const send = (deliver: () => void, bytes: number): void => {
      if (weather === "silent") return void held.push(() => send(deliver, bytes));
      if (weather !== "slow" && late.length === 0) return void deliver();
      const now = performance.now();
      freeAt = Math.max(now + (weather === "slow" ? slow.ms : 0), freeAt) + (bytes / slow.bytesPerSecond) * 1_000;
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
    // Nobody is there: whoever came is refused as well as can be.
    far.once("error", () => near.resetAndDestroy());
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
    }
    pass(near, far);
    pass(far, near);
    if (weather === "cut") cutSoon(near, far);
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
      if (weather === next) return;
      weather = next;
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
