import type { Server } from "node:http";

/**
 * How long a connection that nobody uses is kept. Longer than who asks keeps it (common proxies a minute; our front door, by what it is
 * told, a second less): a connection closed from here may close just as a request with a body comes along it, which cannot be sent twice.
 */
export const keepAliveMs = 72_000;

/**
 * Opens a port on one of this machine's interfaces, loopback unless told otherwise; 0 picks a free one. Resolves with the port taken.
 * Rejects with the system's error when it cannot be had. `onError` hears of later ones, such as a lack of file descriptors: the server goes on.
 */
export function openPort(server: Server, port: number, options: { host?: string; onError: (error: Error) => void }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, options.host ?? "127.0.0.1", () => {
      server.off("error", reject);
      server.on("error", options.onError);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

const sweepMs = 25;

/**
 * Closes a server: no new connections, idle ones at once, running answers may finish for `graceMs`; then they are cut off.
 * Long streams (SSE) are cut off too, so a service that keeps some should end them first.
 */
export function closeServer(server: Server, graceMs = 1_500): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept connection whose last answer ends meanwhile becomes idle only then.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
