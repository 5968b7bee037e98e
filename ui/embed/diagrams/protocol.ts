import type { MermaidConfig } from "mermaid";

/** What an embedded element asks of the page in its frame, over a port of their own. */
export type DiagramCall =
  | { call: "initialize"; config: MermaidConfig }
  | { call: "parse"; source: string }
  | { call: "render"; id: string; source: string };

export type DiagramRequest = DiagramCall & { number: number };

/** `number` 0 says that the page is there. */
export type DiagramReply = { number: number; value: unknown } | { number: number; error: string };
