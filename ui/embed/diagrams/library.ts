import { msg } from "../../messages/page.ts";
import type { MermaidLike } from "../../rendering/mermaid.ts";
import type { EmbeddedElement } from "../element.ts";
import type { DiagramCall, DiagramReply, DiagramRequest } from "./protocol.ts";

/** Timeouts for loading the frame and for drawing. */
const waits = { pageMs: 15_000, callMs: 30_000 };

interface Frame {
  element: HTMLIFrameElement;
  library: Promise<MermaidLike>;
}
const frames = new Map<string, Frame>();

/**
 * Mermaid in a frame inside the element of the first diagram. One per service; removed with its element and created again when needed.
 * Rejects if the page's policy blocks the frame or the frame does not answer.
 */
export function libraryFor(place: Element): Promise<MermaidLike> {
  const root = place.getRootNode();
  if (!(root instanceof ShadowRoot)) return Promise.reject(new Error(msg("embed.diagramNotPage")));
  const { service } = root.host as EmbeddedElement;
  const known = frames.get(service);
  if (known?.element.isConnected) return known.library;
  const element = frameOf(service);
  const made = { element, library: connected(element, service) };
  frames.set(service, made);
  root.append(element);
  return made.library;
}

function frameOf(service: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  // The frame needs layout, because drawings are measured; it is invisible and inert.
  frame.style.cssText =
    "position:absolute;inset:0 auto auto 0;inline-size:1px;block-size:1px;border:0;opacity:0;pointer-events:none;clip-path:inset(50%)";
  frame.src = `${service}/embed/diagrams`;
  return frame;
}

function connected(frame: HTMLIFrameElement, service: string): Promise<MermaidLike> {
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Map<number, (reply: DiagramReply) => void>();
  port.onmessage = ({ data }: MessageEvent<DiagramReply>) => {
    waiting.get(data.number)?.(data);
    waiting.delete(data.number);
  };
  const answered = (number: number, withinMs: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(number);
        reject(new Error(msg("embed.itTookTooLong")));
      }, withinMs);
      waiting.set(number, (reply) => {
        clearTimeout(late);
        if ("error" in reply) reject(new Error(reply.error));
        else resolve(reply.value);
      });
    });
  let last = 0;
  const ask = (call: DiagramCall): Promise<unknown> => {
    last += 1;
    const request: DiagramRequest = { ...call, number: last };
    port.postMessage(request);
    return answered(last, waits.callMs);
  };
  // A sandboxed frame has no origin to name as the target; it receives only diagram sources.
  frame.addEventListener("load", () => frame.contentWindow?.postMessage(null, "*", [port2]), { once: true });
  const library: MermaidLike = {
    initialize: (config) => void ask({ call: "initialize", config }).catch(() => undefined),
    parse: (source) => ask({ call: "parse", source }),
    render: (id, source) => ask({ call: "render", id, source }) as Promise<{ svg: string }>,
  };
  return Promise.race([answered(0, waits.pageMs), refused(service)]).then(() => library);
}

/** Rejects when the page's policy blocks the frame, because no other event reports that. */
function refused(service: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const told = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective !== "frame-src" || !blockedURI.startsWith(service)) return;
      stop();
      reject(new Error(msg("embed.pageDoesNotAllowFrames")));
    };
    const stop = (): void => {
      clearTimeout(over);
      document.removeEventListener("securitypolicyviolation", told);
    };
    const over = setTimeout(stop, waits.pageMs);
    document.addEventListener("securitypolicyviolation", told);
  });
}
