import type { Server } from "node:http";

/**
 * Closes a server: no new connections, idle ones at once, running answers may finish for `graceMs`; then they are cut off.
 * Long streams (SSE) are cut off too, so a service that keeps some should end them first.
 */
export function closeServer(server: Server, graceMs = 1_500): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
