import type { MermaidConfig } from "mermaid";

/** A call from an embedded element to the page in its frame, over a message port. */
export type DiagramCall =
  | { call: "initialize"; config: MermaidConfig }
  | { call: "parse"; source: string }
  | { call: "render"; id: string; source: string };

export type DiagramRequest = DiagramCall & { number: number };

/** `number` 0 says that the page is ready. */
export type DiagramReply = { number: number; value: unknown } | { number: number; error: string };
