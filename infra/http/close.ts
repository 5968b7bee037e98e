import type { Server } from "node:http";

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
