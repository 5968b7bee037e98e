import type { Translator } from "@colloquy/messages/translator.ts";
import type { AuthoredCourse, Block } from "@colloquy/schemas/courses/authored.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { blockTopics, courseLink } from "@colloquy/schemas/courses/course-link.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { coursePlaces, type Place } from "@colloquy/schemas/courses/places.ts";
import { languageFor } from "@colloquy/schemas/languages.ts";
import { guard } from "lit/directives/guard.js";
import { loadTranslator } from "../messages/load.ts";
import { withTranslator } from "../messages/page.ts";
import { type BlockOptions, renderBlock } from "../rendering/blocks.ts";
import { drawDiagrams } from "../rendering/diagram.ts";
import { formulasInLine, lineWithFormulas } from "../rendering/line-formulas.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { syncNodes } from "../rendering/sync-nodes.ts";
import { upgrade } from "../rendering/upgrade.ts";

/** Renders a draft as readers will see it, with links and pictures resolved from the draft. */

type ParseResult = ReturnType<typeof parseBlock>;
const parsedBlocks = new WeakMap<Block, ParseResult>();

/** Parses a block. Blocks are immutable, so each is parsed once. */
export function parsedBlock(block: Block): ParseResult {
  const known = parsedBlocks.get(block) ?? parseBlock(block);
  parsedBlocks.set(block, known);
  return known;
}

/** Resolves links and pictures of a draft. */
export function draftOptions(course: AuthoredCourse): BlockOptions {
  const { courseId } = course.manifest;
  const topicOfBlock = blockTopics(course.topics);
  let places: Map<string, Place> | null = null;
  const pageHref = (id: string): string | null => {
    places ??= coursePlaces(course);
    const place = places.get(id);
    return place ? `/courses/${courseId}/${place.path}` : null;
  };
  const assetHref = (path: string): string | null => {
    const asset = course.assets.find((one) => one.path === decoded(path));
    return asset ? `/api/courses/${courseId}/assets/${asset.sha256}` : null;
  };
  return {
    topHeadingLevel: 2,
    leaves: "wait",
    resolveLink(href) {
      if (href.startsWith("/")) return href;
      const link = courseLink(href, "", topicOfBlock);
      if (!link) return assetHref(href);
      // An anchor that is no block's is a heading of the page itself.
      if (!link.topicId && href.startsWith("#")) return href;
      const page = pageHref(link.topicId);
      return page && page + link.hash;
    },
    resolveImage(path) {
      const src = assetHref(path);
      return src ? { src } : null;
    },
  };
}

const translators = new Map<string, Translator>();

/** Loads the labels of blocks ("Exercise", "Note") in the course's language. The page's language is the fallback. */
export async function prepareRendering(course: AuthoredCourse): Promise<void> {
  const language = languageFor([course.manifest.language]);
  if (translators.has(language)) return;
  const words = await loadTranslator(language, "reading").catch(() => null);
  if (words) translators.set(language, words);
}

/** A block as safe HTML with labels in the language of its course. */
export function renderedBlock(parsed: ParsedBlock, course: AuthoredCourse, options: BlockOptions = draftOptions(course)): string {
  const words = translators.get(languageFor([course.manifest.language]));
  const siblings = findBlock(course, parsed.id)?.topic.blocks ?? [];
  const isHere = (href: string): boolean => href.startsWith("#") && siblings.some(({ id }) => id === href.slice(1));
  const resolveLink = (href: string): string | null => (isHere(href) ? href : (options.resolveLink?.(href) ?? null));
  const render = () => renderBlock(parsed, { ...options, resolveLink });
  return words ? withTranslator(words, render) : render();
}

/** A summary or an objective as readers see it: plain text with typeset formulas. */
export function renderedLine(text: string): unknown {
  return guard([text], () => (formulasInLine(text).length ? lineElement(text) : text));
}

function lineElement(text: string): HTMLElement {
  const holder = document.createElement("span");
  renderInto(holder, lineWithFormulas(text, { leaves: "wait" }));
  return holder;
}

/**
 * Updates an element to show rendered HTML by changing only what differs: equal pictures, formulas and diagrams keep their nodes, and open
 * disclosures stay open.
 */
export function renderInto(holder: HTMLElement, html: string): void {
  const fresh = sanitizedFragment(html);
  const folds = holder.querySelectorAll("details");
  for (const [index, fold] of fresh.querySelectorAll("details").entries()) if (folds[index]?.open) fold.open = true;
  syncNodes(holder, [...holder.childNodes], [...fresh.childNodes], null);
  void upgrade(holder);
  if (holder.querySelector("figure.diagram")) followDiagrams(holder);
}

const followed = new WeakMap<HTMLElement, () => void>();

function followDiagrams(holder: HTMLElement): void {
  followed.get(holder)?.();
  followed.set(holder, drawDiagrams(holder));
}

/** Stops redrawing the diagrams of `renderInto`. Call it when the element is removed. */
export function stopDrawing(holder: HTMLElement): void {
  followed.get(holder)?.();
  followed.delete(holder);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
