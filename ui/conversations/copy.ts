import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { citationHref } from "../rendering/citations.ts";

/** An answer as copied: its Markdown with sources as footnotes. An answer that is a single code block gives the code without fences. */
export function answerAsMarkdown(text: string, citations: Citation[], origin: string): string {
  const code = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  if (code?.[2] !== undefined && !code[2].includes(code[1] ?? "")) return code[2];
  const notes = citations.map((citation) => {
    const address = new URL(citationHref(citation), origin).href;
    return `[^${citation.number}]: [${[...citation.trail, citation.title].join(" › ").replace(/[[\]]/g, "\\$&")}](${address})`;
  });
  return notes.length ? `${text.trimEnd()}\n\n${notes.join("\n")}\n` : text;
}

/** An answer's HTML for another editor: without buttons, with absolute links. */
export function answerAsHtml(shown: string, origin: string): string {
  // A template is inert: nothing in it loads or runs.
  const copy = document.createElement("template");
  copy.innerHTML = shown;
  for (const tool of copy.content.querySelectorAll("button, .code-language")) tool.remove();
  for (const caption of copy.content.querySelectorAll("figcaption")) if (!caption.textContent?.trim()) caption.remove();
  for (const link of copy.content.querySelectorAll("a[href]"))
    link.setAttribute("href", new URL(link.getAttribute("href") ?? "", origin).href);
  return copy.innerHTML;
}

/** Copies the Markdown as text and, where supported, the HTML. */
export async function copyAnswer(markdown: string, html: string): Promise<boolean> {
  try {
    if (!html || typeof ClipboardItem === "undefined") await navigator.clipboard.writeText(markdown);
    else {
      const item = { "text/plain": new Blob([markdown], { type: "text/plain" }), "text/html": new Blob([html], { type: "text/html" }) };
      await navigator.clipboard.write([new ClipboardItem(item)]);
    }
    return true;
  } catch {
    return false;
  }
}
