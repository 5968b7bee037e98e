import type { Citations } from "./citations.ts";
import type { Anchors, Heading } from "./headings.ts";

export interface ResolvedImage {
  src: string;
  width?: number;
  height?: number;
  /** Probably in the first view of its page: fetched before everything that can wait, instead of when it comes near the window. */
  first?: boolean;
}

/** How one text is rendered. Everything is optional: without any option the result is safe and stands for itself. */
export interface MarkdownOptions {
  /** Where an address as written leads; null when nowhere. Not asked for `http(s):` and `mailto:`. */
  resolveLink?: (href: string) => string | null;
  /** Where an image of the course lies; null when it is missing. Not asked for remote images, which are never loaded unasked. */
  resolveImage?: (src: string) => ResolvedImage | null;
  /** Gives headings ids and links to themselves. */
  headingIds?: boolean;
  /** Hands out the page's anchors, so that none stands twice (`createAnchors(blockIds)`). */
  anchors?: Anchors;
  /** Collects the headings with ids, in order. */
  headings?: Heading[];
  /** Headings never stand above this level (2 on a page that has its own title). */
  topHeadingLevel?: number;
  /** Reads `[^N]` as citations. Footnotes are then off. */
  citations?: Citations;
  /** External links open beside the page. */
  newTab?: boolean;
  /** The text still grows: what is not closed yet stays plain. */
  incomplete?: boolean;
  /** `wait`: formulas and code stand as their source, whatever engine is there; `upgrade()` sets them once, where they stand. */
  leaves?: "wait";
  /** Makes the ids of footnotes unique on a page. */
  docId?: string;
}
