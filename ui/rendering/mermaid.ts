import type { Mermaid, MermaidConfig } from "mermaid";

/** The part of the library that is used here. */
export interface MermaidLike {
  initialize(config: MermaidConfig): void;
  parse(source: string): Promise<unknown>;
  render(id: string, source: string): Promise<{ svg: string }>;
}

export const loadMermaid = async (): Promise<MermaidLike> => resetting((await import("mermaid")).default);

/** The library, reset before it is set anew: a directive that failed stays in force, and would fail every later drawing. */
export const resetting = (mermaid: Mermaid): MermaidLike => ({
  initialize(config) {
    mermaid.mermaidAPI.reset();
    mermaid.initialize(config);
  },
  parse: (source) => mermaid.parse(source),
  render: (id, source) => mermaid.render(id, source),
});
