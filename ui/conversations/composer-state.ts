import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { isSamePlace } from "../courses/paths.ts";
import type { Draft, Drafts } from "../store/drafts.ts";
import type { Library } from "../store/library.ts";
import { applyChoice, type Choice, type Choices, choiceChange } from "./choices.ts";

const emptyDraft: Draft = { text: "", references: [], model: null };
const nothingChosen: Choices = { references: [], model: { choice: "automatic" }, mode: "ask" };

/**
 * The composer of one conversation: text, references, model, mode. Until the conversation's record is known (it is new, its first turn is
 * running, or it is loading), choices are pending and applied on top of the record.
 */
export class ComposerState {
  text = "";
  readonly #id: string;
  readonly #drafts: Drafts;
  readonly #library: Library;
  /** The choices without the pending ones. */
  #base: Choices = nothingChosen;
  #pending: Choice[] = [];
  /** Choices being recorded: a record that was read before them must not undo them. */
  #recording: Choice[] = [];
  /** "new": not begun; "begun": its first turn was sent; "loading": exists but was not read yet; "recorded": its record is known. */
  #stage: "new" | "begun" | "loading" | "recorded";
  /** The question was returned while the tab's draft for new conversations belonged to another one. */
  #displaced = false;
  /** A question that waits until the conversation is loaded. */
  #heldQuestion = "";
  /** The page that was attached automatically to a new conversation. */
  #carried = "";
  /** The learner has typed on this page, so an older draft must not replace the text. */
  #hasTyped = false;
  /** The stored draft is being read; choices made meanwhile are applied on top. */
  #reading = false;

  constructor(parts: { drafts: Drafts; library: Library }, options: { id: string; isNew: boolean }) {
    this.#drafts = parts.drafts;
    this.#library = parts.library;
    this.#id = options.id;
    this.#stage = options.isNew ? "new" : "loading";
  }

  /** The choices with all pending ones. */
  get choices(): Choices {
    return [...this.#recording, ...this.#pending].reduce(applyChoice, this.#base);
  }

  /** Reads the stored draft. */
  async load(): Promise<void> {
    this.#reading = true;
    const draft = await this.#drafts.read(this.#key).finally(() => {
      this.#reading = false;
    });
    if (draft && !this.#hasTyped) {
      this.text = draft.text;
      if (this.#stage === "new") {
        const { references, model, mode, carried } = draft;
        this.#carried = carried ?? "";
        this.#base = { references, model: model ?? this.#base.model, mode: mode ?? "ask" };
      }
    }
    if (this.#stage === "new" && this.#pending.length > 0) this.#applyPending();
  }

  write(text: string): void {
    this.text = text;
    this.#hasTyped = true;
    this.#save();
  }

  /** Attaches the page the learner comes from, replacing the previous one; pages that they attached themselves stay. */
  attachCarriedPage(page: AttachedReference): void {
    const before = this.#carried;
    const attachedByHand = before !== page.href && this.choices.references.some((reference) => isSamePlace(reference, page));
    this.#carried = attachedByHand ? "" : page.href;
    if (this.#stage === "new" && before && before !== page.href) this.choose({ type: "reference_removed", data: { href: before } });
    this.choose({ type: "reference_attached", data: page });
  }

  choose(choice: Choice): void {
    this.#pending.push(choice);
    if (this.#stage === "recorded") void this.record();
    else if (this.#stage === "new" && !this.#reading) this.#applyPending();
  }

  /** Stores a question that waits for its conversation with the draft, so that it survives a closed page. Empty when none waits. */
  holdQuestion(question: string): void {
    this.#heldQuestion = question;
    this.#save();
  }

  /** The first turn was sent: frees the tab's draft for the next new conversation. */
  markBegun(): void {
    if (this.#stage === "new") this.#drafts.write(this.#key, emptyDraft);
    this.resume(this.choices);
  }

  /** An earlier page sent the first turn with these choices. */
  resume(choices: Choices): void {
    this.#stage = "begun";
    this.#base = choices;
    this.#pending = [];
  }

  /** The first turn failed. */
  async revertToNew(): Promise<void> {
    this.clearDraft();
    const other = await this.#drafts.read(null);
    this.#displaced = other !== null && (other.text !== "" || other.references.length > 0);
    this.#stage = "new";
    this.#applyPending();
  }

  /** Takes the choices from the record; pending ones stay on top. */
  setRecorded(recorded: Choices): void {
    this.#base = { references: recorded.references, model: recorded.model, mode: recorded.mode };
    this.#stage = "recorded";
  }

  /** Records pending choices that change something, once the record is known. */
  async record(): Promise<void> {
    if (this.#stage !== "recorded") return;
    let choices = this.#recording.reduce(applyChoice, this.#base);
    const changes = this.#pending.splice(0).filter((choice) => {
      const before = choices;
      choices = applyChoice(before, choice);
      return choices !== before;
    });
    if (!changes.length) return;
    this.#recording.push(...changes);
    try {
      await this.#library.commit(changes.map((choice) => choiceChange(this.#id, choice)));
    } finally {
      this.#base = changes.reduce(applyChoice, this.#base);
      this.#recording = this.#recording.filter((choice) => !changes.includes(choice));
    }
  }

  /** Deletes the draft. */
  clearDraft(): void {
    this.#drafts.write(this.#id, emptyDraft);
  }

  #applyPending(): void {
    this.#base = this.choices;
    this.#pending = [];
    this.#save();
  }

  /** A new conversation's draft uses the tab's place for new ones. */
  get #key(): string | null {
    return this.#stage === "new" && !this.#displaced ? null : this.#id;
  }

  #save(): void {
    const key = this.#key;
    const { references, model, mode } = this.choices;
    const text = [this.#heldQuestion, this.text].filter(Boolean).join("\n\n");
    const own = key === null;
    const pinned = own && model.choice === "pinned" ? model : null;
    const carried = own && references.some(({ href }) => href === this.#carried) ? { carried: this.#carried } : {};
    this.#drafts.write(key, {
      text,
      references: own ? references : [],
      model: pinned,
      ...carried,
      ...(own && mode === "tutor" && { mode }),
    });
  }
}
