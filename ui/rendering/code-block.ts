import { diagramDescription } from "@colloquy/schemas/text/diagram-description.ts";
import { msg } from "../messages/page.ts";
import { engines } from "./engines.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { grammarOf, languageLabel } from "./languages.ts";

export interface CodeBlock {
  code: string;
  /** As authors name it; empty for plain text. */
  language: string;
  role?: "input" | "output" | "error";
  title?: string | undefined;
  id?: string;
  /** Still being written: named, but not coloured yet. */
  growing?: boolean;
  /** Leaves highlighting to `upgrade()`, even if the engine is loaded. */
  wait?: boolean | undefined;
}

const roleLabels = { output: "rendering.output", error: "rendering.errorMessage" } as const;

/** A block of code with a header that says what it is and offers to copy it. The copy button works through `copyCode` in a browser. */
export function codeBlock({ code, language, role = "input", title, growing = false, wait }: CodeBlock): string {
  const label = role === "input" ? languageLabel(language) : msg(roleLabels[role]);
  const name = title ? `<span class="code-title">${escapeHtml(title)}</span> ` : "";
  return `<figure class="code code-${role}"${attribute("data-language", language || null)}><figcaption>${name}<span class="code-language">${escapeHtml(label)}</span><button type="button" class="code-copy" data-action="copy-code">${escapeHtml(msg("conversation.copy"))}</button></figcaption><pre tabindex="0">${codeElement(code, !growing && (role === "input" || grammarOf(language)) ? language : "", wait)}</pre></figure>\n`;
}

function codeElement(code: string, language: string, wait: boolean | undefined): string {
  const text = code.replace(/\n$/, "");
  // Commands after a prompt are a shell session; prompts are styled and not copied.
  const grammar = grammarOf(language) === "bash" && /^[$#%] /m.test(text) ? "shell" : grammarOf(language);
  if (!grammar) return `<code>${escapeHtml(text)}</code>`;
  const coloured = engines.code && !wait ? engines.code(text, grammar) : null;
  if (coloured !== null) return `<code class="language-${escapeHtml(grammar)}">${coloured}</code>`;
  return `<code class="language-${escapeHtml(grammar)}" data-pending="code">${escapeHtml(text)}</code>`;
}

/** A diagram's source; it is drawn when it becomes visible. */
export function diagramFigure(source: string, options: { description?: string; captionHtml?: string } = {}): string {
  const label = attribute("aria-label", options.description || diagramDescription(source) || null);
  const caption = options.captionHtml ? `<figcaption>${options.captionHtml}</figcaption>` : "";
  return `<figure class="diagram" data-diagram="mermaid"${label}><pre class="diagram-source" tabindex="0"><code>${escapeHtml(source.replace(/\n$/, ""))}</code></pre>${caption}</figure>\n`;
}

/** A formula, typeset or as source until the engine is loaded. */
export function mathElement(tex: string, display: boolean, block: boolean, wait = false): string {
  const tag = block ? "div" : "span";
  const className = display ? "math math-display" : "math";
  if (engines.math && !wait) return `<${tag} class="${className}">${engines.math(tex, display)}</${tag}>${block ? "\n" : ""}`;
  return `<${tag} class="${className}" data-pending="math"${display ? ' data-display=""' : ""}>${escapeHtml(tex)}</${tag}>${block ? "\n" : ""}`;
}
