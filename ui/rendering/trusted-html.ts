import type { DirectiveResult } from "lit/directive.js";
import { type UnsafeHTMLDirective, unsafeHTML } from "lit/directives/unsafe-html.js";
import { sanitize } from "./sanitize.ts";

const clean = new Map<string, string>();
const kept = 500;

/**
 * The one place where an HTML string becomes elements in a Lit template: sanitized first, remembered so that a block that did not
 * change costs nothing.
 */
export function trustedHtml(html: string): DirectiveResult<typeof UnsafeHTMLDirective> {
  let result = clean.get(html);
  if (result === undefined) {
    result = sanitize(html);
    if (clean.size >= kept) clean.delete(clean.keys().next().value ?? "");
    clean.set(html, result);
  }
  return unsafeHTML(result);
}
