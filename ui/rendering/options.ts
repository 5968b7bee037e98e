import type { Citations } from "./citations.ts";
import type { Anchors, Heading } from "./headings.ts";

export interface ResolvedImage {
  src: string;
  width?: number;
  height?: number;
  /** Probably in the first viewport: fetched with priority instead of lazily. */
  first?: boolean;
}

/** Options of rendering. Without any option the result is safe and self-contained. */
export interface MarkdownOptions {
  /** Resolves an address; null if it has no target. Not called for `http(s):` and `mailto:`. */
  resolveLink?: (href: string) => string | null;
  /** Resolves an image of the course; null if it is missing. Not called for remote images, which load only on request. */
  resolveImage?: (src: string) => ResolvedImage | null;
  /** Gives headings ids and links to themselves. */
  headingIds?: boolean;
  /** Allocates the page's unique anchors (`createAnchors(blockIds)`). */
  anchors?: Anchors;
  /** Collects the headings with ids, in order. */
  headings?: Heading[];
  /** Headings never stand above this level (2 on a page that has its own title). */
  topHeadingLevel?: number;
  /** Reads `[^N]` as citations. Footnotes are then off. */
  citations?: Citations;
  /** External links open in a new tab. */
  newTab?: boolean;
  /** The text is still streaming: unclosed constructs stay plain. */
  incomplete?: boolean;
  /** `wait`: formulas and code stay source even if the engines are loaded; `upgrade()` finishes them in place. */
  leaves?: "wait";
  /** Makes the ids of footnotes unique on a page. */
  docId?: string;
}
