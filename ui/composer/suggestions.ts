import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { msg } from "../messages/page.ts";
import { type Command, commandsLike } from "./commands.ts";
import { ReferenceSearch, type Search } from "./reference-search.ts";
import { type Trigger, triggerAt } from "./triggers.ts";

export type Suggestion =
  | { kind: "place"; key: string; place: ReferenceResult; open: boolean }
  | { kind: "command"; key: string; command: Command };

/** The open list of suggestions for the trigger before the caret. */
export interface Choice {
  trigger: Trigger;
  items: Suggestion[];
  active: number;
  state: "searching" | "found" | "failed";
}

export interface SuggestionParts {
  search: Search;
  /** The page that led here and open pages; suggested first. */
  pages(): ReferenceResult[];
  /** Whether a command works here. */
  offers(command: Command): boolean;
  /** The addresses of attached references. */
  isAttached(place: ReferenceResult): boolean;
  accept(item: Suggestion, trigger: Trigger): void;
  announce(text: string): void;
}

/** Items that PageDown and PageUp pass. */
const pageItems = 5;
const searchWaitMs = 120;
const plainKeys = (event: KeyboardEvent): boolean => !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;

/**
 * The list that opens under a typed "@" or "/": its items, the active one, and its keys. Pasted text opens none. Only the newest search
 * counts.
 */
export class Suggestions implements ReactiveController {
  choice: Choice | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #parts: SuggestionParts;
  readonly #search: ReferenceSearch;

  constructor(host: ReactiveControllerHost, parts: SuggestionParts) {
    this.#host = host;
    this.#parts = parts;
    this.#search = new ReferenceSearch(parts.search, (results) => this.#found(results));
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#search.cancel();
  }

  /** The text changed. */
  typed(text: string, caret: number, inputType: string): void {
    const trigger = triggerAt(text, caret);
    const pasted = inputType.startsWith("insertFrom");
    const begins = inputType.startsWith("insert") && trigger?.query === "";
    if (trigger && !pasted && (begins || trigger.sign === this.choice?.trigger.sign)) this.seek(trigger);
    else this.close();
  }

  /** The caret moved without typing. */
  moved(text: string, caret: number): void {
    if (this.choice && triggerAt(text, caret)?.start !== this.choice.trigger.start) this.close();
  }

  /** Whether the open list handled the key. */
  pressed(event: KeyboardEvent): boolean {
    const { choice } = this;
    if (!choice) return false;
    if (event.key === "Escape") {
      this.close();
      return true;
    }
    const { items } = choice;
    const chosen = items[choice.active];
    if (!chosen) return false;
    if (event.key === "PageDown" || event.key === "PageUp") {
      const active = choice.active + (event.key === "PageDown" ? pageItems : -pageItems);
      this.#show({ ...choice, active: Math.min(Math.max(active, 0), items.length - 1) });
      return true;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : items.length - 1;
      this.#show({ ...choice, active: (choice.active + step) % items.length });
      return true;
    }
    if (!plainKeys(event) || (event.key !== "Enter" && event.key !== "Tab")) return false;
    // A completely typed command is ready to be sent.
    if (
      event.key === "Enter" &&
      chosen.kind === "command" &&
      chosen.command.takes &&
      chosen.command.name === choice.trigger.query.toLowerCase()
    ) {
      this.close();
      return false;
    }
    this.accept(chosen);
    return true;
  }

  accept(item: Suggestion): void {
    const { choice } = this;
    this.close();
    if (choice) this.#parts.accept(item, choice.trigger);
  }

  readonly close = (): void => {
    this.#search.cancel();
    if (this.choice) this.#show(null);
  };

  /** Shows suggestions for a trigger: commands and open pages at once, places as they are found. */
  seek(trigger: Trigger): void {
    if (trigger.sign === "/") {
      const items = commandsLike(trigger.query)
        .filter((command) => this.#parts.offers(command))
        .map<Suggestion>((command) => ({ kind: "command", key: command.name, command }));
      if (items.length) this.#show({ trigger, items, active: 0, state: "found" });
      else this.close();
      return;
    }
    const before = this.choice;
    const found = before?.items.filter((item) => item.kind === "place" && !item.open) ?? [];
    this.#show({ trigger, items: merge(this.#openPages(trigger.query), found), active: 0, state: "searching" });
    this.#search.ask(trigger.query.trim().slice(0, bounds.references.queryLength), before ? searchWaitMs : 0);
  }

  #found(results: ReferenceResult[] | "failed"): void {
    const { choice } = this;
    if (!choice) return;
    const free = results === "failed" ? [] : results.filter((place) => !this.#parts.isAttached(place));
    const items = merge(
      this.#openPages(choice.trigger.query),
      free.map((place) => ({ kind: "place", key: place.href, place, open: false })),
    );
    // A mention that matches nothing and continues after a space is plain text.
    if (results !== "failed" && !items.length && /\s/.test(choice.trigger.query)) {
      this.close();
      return;
    }
    // A selected item stays selected, wherever it is in the new list.
    const at = choice.active > 0 ? items.findIndex(({ key }) => key === choice.items[choice.active]?.key) : 0;
    this.#show({ ...choice, items, active: Math.max(0, at), state: results === "failed" ? "failed" : "found" });
    if (results !== "failed") this.#parts.announce(msg("composer.placesFound", { n: items.length }));
  }

  #openPages(query: string): Suggestion[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#parts
      .pages()
      .filter(
        (place) =>
          !this.#parts.isAttached(place) && words.every((word) => `${place.title} ${place.trail.join(" ")}`.toLowerCase().includes(word)),
      )
      .map((place) => ({ kind: "place", key: place.href, place, open: true }));
  }

  #show(choice: Choice | null): void {
    this.choice = choice;
    this.#host.requestUpdate();
  }
}

function merge(first: Suggestion[], others: Suggestion[]): Suggestion[] {
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...others.filter(({ key }) => !keys.has(key))];
}
