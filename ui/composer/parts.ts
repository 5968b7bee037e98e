import type { ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import { html, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";

/** The switch between asking and being tutored. */
export function modes(mode: ConversationMode, turn: (mode: ConversationMode) => void): TemplateResult {
  const choice = (of: ConversationMode, name: string, title: string) =>
    html`<button type="button" aria-pressed=${mode === of} title=${title} @click=${() => turn(of)}>${name}</button>`;
  return html`<span class="modes" role="group" aria-label="How to go on">${choice("ask", "Ask", "Ask questions (/ask)")}${choice("tutor", "Tutor", "Be taught step by step (/tutor)")}</span>`;
}

/** Said where no model is set up. */
export const unconfigured = html`<p class="note">${icons.alert}<span>No model is set up, so nothing can answer yet. Whoever runs this service sets
  <code>P1_API_KEY</code> (or another of P1 to P7), or <code>DEMO_MODEL=on</code>, and starts it again.</span></p>`;
