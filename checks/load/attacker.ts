import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/**
 * A process of its own, so that its work does not delay the reader: anonymous connections that send JSON of very many members, one request
 * after another, until it is told to stop. It then tells its parent how many were answered how.
 */
const [address = "", connections = "6", members = "95000"] = process.argv.slice(2);
/** Both APIs: changes go to the command API, whatever is not of the API to the query API. */
const routes = ["/api/sync/push", "/courses"];
const pauseAfterErrorMs = 5;
const body = Buffer.from(`{${Array.from({ length: Number(members) }, (_, index) => `"k${index}":1`).join(",")}}`);
const answers: Record<string, number> = {};
let isOver = false;

const send = (agent: Agent, path: string): Promise<string> =>
  new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const sent = request(`${address}${path}`, { agent, method: "POST", headers }, (response) => {
      response.resume().once("close", () => resolve(String(response.statusCode)));
    });
    sent.once("error", () => resolve("connection closed"));
    sent.end(body);
  });

async function attack(index: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver) {
    const answer = await send(agent, routes[index % routes.length] ?? "");
    answers[answer] = (answers[answer] ?? 0) + 1;
    if (answer === "connection closed") await pause(pauseAfterErrorMs);
  }
  agent.destroy();
}

process.once("message", () => {
  isOver = true;
});
await Promise.all(Array.from({ length: Number(connections) }, (_, index) => attack(index)));
process.send?.(answers);
process.disconnect();
