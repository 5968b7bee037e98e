import { loadMermaid } from "../../rendering/mermaid.ts";
import type { DiagramReply, DiagramRequest } from "./protocol.ts";

/**
 * The page that draws diagrams for embedded elements. It runs in a sandboxed frame without an origin, receives a source and returns the
 * drawing as text, and nothing else.
 */

async function carryOut(request: DiagramRequest): Promise<unknown> {
  const mermaid = await loadMermaid();
  if (request.call === "initialize") return void mermaid.initialize(request.config);
  if (request.call === "parse") return void (await mermaid.parse(request.source));
  const { svg } = await mermaid.render(request.id, request.source);
  return { svg };
}

addEventListener("message", ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = async ({ data }: MessageEvent<DiagramRequest>) => {
    const { number } = data;
    const reply = await carryOut(data).then(
      (value): DiagramReply => ({ number, value }),
      (error): DiagramReply => ({ number, error: error instanceof Error ? error.message : String(error) }),
    );
    port.postMessage(reply);
  };
  const here: DiagramReply = { number: 0, value: null };
  port.postMessage(here);
});
