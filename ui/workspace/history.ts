import type { ConversationSummary } from "@colloquy/schemas/conversations.ts";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { rootStyles } from "../controls/styles.ts";
import { conversationHref, isPlainClick } from "./address.ts";
import { groupHistory } from "./history-groups.ts";

/** The learner opens a conversation of the history. */
export class OpenConversationEvent extends Event {
  static readonly type = "colloquy-open-conversation";
  readonly conversationId: string;
  constructor(conversationId: string) {
    super(OpenConversationEvent.type, { bubbles: true, composed: true });
    this.conversationId = conversationId;
  }
}

/** The learner asks for what came before the oldest row. */
export class OlderEvent extends Event {
  static readonly type = "colloquy-older";
  constructor() {
    super(OlderEvent.type, { bubbles: true, composed: true });
  }
}

/**
 * @summary The conversations, by when they were last used. Rows are links with their own addresses.
 * @event {OpenConversationEvent} colloquy-open-conversation
 * @event {OlderEvent} colloquy-older
 * @csspart row - a conversation's link
 */
@customElement("colloquy-history")
export class History extends LitElement {
  static override styles = [
    rootStyles,
    css`
      :host { display: block; font: var(--text-m)/1.4 var(--font-ui); overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; overscroll-behavior: contain; padding-block-end: var(--s3); }
      h2 { margin: 0; padding: var(--s4) var(--s3) 6px; font-size: var(--text-xs); font-weight: 450; letter-spacing: .02em; color: var(--ink-faint); }
      h2:first-of-type { padding-block-start: var(--s2); }
      ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1px; }
      a { display: flex; align-items: center; gap: 8px; min-block-size: 36px; padding: 7px var(--s3); border-radius: var(--r-s); color: var(--ink-soft); text-decoration: none; white-space: nowrap; transition: background var(--fast) var(--ease); }
      a span { overflow: hidden; text-overflow: ellipsis; }
      a:hover { background: color-mix(in oklab, var(--line) 55%, transparent); color: var(--ink); }
      a[aria-current] { background: var(--accent-wash); color: var(--ink); font-weight: 550; }
      a i { flex: none; inline-size: 6px; block-size: 6px; border-radius: 50%; background: var(--accent); margin-inline-start: auto; animation: breathe 1.4s ease-in-out infinite; }
      @keyframes breathe { 50% { opacity: .3; } }
      p { margin: 0; padding: var(--s4) var(--s3); color: var(--ink-faint); font-size: var(--text-s); line-height: 1.5; }
      button { inline-size: 100%; min-block-size: 36px; margin-block-start: var(--s2); padding: 6px var(--s3); border-radius: var(--r-s); color: var(--ink-faint); font-size: var(--text-s); }
      button:hover { color: var(--ink); }
      @media (prefers-reduced-motion: reduce) { a i { animation: none; } }
      @media (pointer: coarse) { a, button { min-block-size: 44px; } }
      @media (forced-colors: active) { a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } a i { background: Highlight; } }
    `,
  ];

  @property({ attribute: false }) conversations: ConversationSummary[] = [];
  @property({ attribute: false }) current: string | null = null;
  /** Where an answer is being written. */
  @property({ attribute: false }) running: ReadonlySet<string> = new Set();
  @property({ type: Boolean }) loading = false;
  @property({ type: Boolean }) hasOlder = false;
  /** The time the groups are counted from. */
  @property({ attribute: false }) now = new Date();

  protected override render() {
    const groups = groupHistory(this.conversations, this.now);
    if (!groups.length)
      return html`<p>${this.loading ? "Looking for your conversations…" : "Your conversations will be listed here once you have asked something."}</p>`;
    return html`${groups.map(
      ({ name, rows }, index) => html`<h2 id="group-${index}">${name}</h2>
        <ul aria-labelledby="group-${index}">${repeat(
          rows,
          (row) => row.conversationId,
          (row) => this.#row(row),
        )}</ul>`,
    )}
    ${this.hasOlder ? html`<button type="button" @click=${() => this.dispatchEvent(new OlderEvent())}>Show older conversations</button>` : nothing}`;
  }

  #row({ conversationId, title }: ConversationSummary) {
    const running = this.running.has(conversationId);
    return html`<li><a part="row" href=${conversationHref(conversationId)} title=${title}
      aria-current=${conversationId === this.current ? "page" : nothing}
      @click=${(event: MouseEvent) => this.#open(event, conversationId)}><span>${title}</span>${
        running ? html`<i title="An answer is being written"></i>` : nothing
      }</a></li>`;
  }

  #open(event: MouseEvent, conversationId: string): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    this.dispatchEvent(new OpenConversationEvent(conversationId));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-history": History;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-open-conversation": OpenConversationEvent;
    "colloquy-older": OlderEvent;
  }
}
