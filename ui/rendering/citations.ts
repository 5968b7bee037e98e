import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { MarkdownIt, StateInline } from "markdown-it";
import { msg } from "../messages/page.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { safeTarget } from "./links.ts";

/** The citations of an answer, or `pending` while it streams: numbers are shown, sources arrive at the end. */
export type Citations = readonly Citation[] | "pending";

/**
 * The address of a citation: its source's page with the quote to mark, and the revision that it was cited from, so that the passage can be read
 * after it was changed or deleted.
 */
export function citationHref({ href, quote, revisionId }: Pick<Citation, "href" | "quote"> & { revisionId?: string }): string {
  const [beforeHash = "", hash] = splitOnce(href, "#");
  if (!quote) return href;
  const join = beforeHash.includes("?") ? "&" : "?";
  const revision = revisionId && hash !== undefined ? `&revision=${encodeURIComponent(revisionId)}` : "";
  return `${beforeHash}${join}mark=${encodeURIComponent(quote)}${revision}${hash === undefined ? "" : `#${hash}`}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Reads `[^N]` as a citation while `env.citations` is set. Code spans are read before this rule, so nothing inside code is touched. */
export function citationRule(md: MarkdownIt): void {
  md.inline.ruler.before("link", "citation", (state: StateInline, silent: boolean) => {
    const citations = state.env.citations as Citations | undefined;
    if (!citations || !state.src.startsWith("[^", state.pos)) return false;
    const marker = /^\[\^(\d{1,3})\]/.exec(state.src.slice(state.pos, state.pos + 7));
    if (!marker?.[1]) return false;
    if (!silent) state.push("citation", "", 0).content = String(Number(marker[1]));
    state.pos += marker[0].length;
    return true;
  });
  md.renderer.rules.citation = (tokens, index, _options, env) =>
    citationChip(Number(tokens[index]?.content), (env?.citations as Citations | undefined) ?? "pending");
}

/** A citation's number as a chip: linked to its source, unresolved, or pending. */
export function citationChip(number: number, citations: Citations): string {
  if (citations === "pending") return `<span class="cite" data-citation="${number}">${number}</span>`;
  const citation = citations.find((entry) => entry.number === number);
  const target = citation && safeTarget(citationHref(citation));
  if (!target)
    return `<span class="cite cite-unresolved" data-citation="${number}" title="${escapeHtml(msg("rendering.sourceNotAvailable"))}">${number}</span>`;
  const label = attribute("aria-label", msg("quiz.source", { number, title: citation.title }));
  return `<a class="cite" data-citation="${number}"${attribute("href", target.href)}${label}>${number}</a>`;
}
