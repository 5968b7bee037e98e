import type { Server } from "node:http";

/**
 * How long an idle connection is kept: longer than clients keep theirs (common proxies a minute; the front door a second less than the
 * `keep-alive` header says). If the server closed first, a request with a body could arrive at that moment and cannot be repeated.
 */
export const keepAliveMs = 72_000;

/**
 * Listens on a port of an interface, by default loopback; 0 picks a free port. Resolves with the port, or rejects with the system's error.
 * `onError` gets later errors, such as a lack of file descriptors, after which the server continues.
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
