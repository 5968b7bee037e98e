import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { Draft, Drafts } from "../store/drafts.ts";
import type { Library } from "../store/library.ts";
import { applyChoice, type Choice, type Choices, choiceChange } from "./choices.ts";

const emptyDraft: Draft = { text: "", references: [], model: null };
const nothingChosen: Choices = { references: [], model: { choice: "automatic" }, mode: "ask" };

/**
 * What the composer of one conversation holds: the words, what is attached, who is to answer. Before the conversation is known (it is new,
 * its first answer is being written, it is still loading) choices are noted; they come on top of what its record says.
 */
export class ComposerState {
  text = "";
  readonly #id: string;
  readonly #drafts: Drafts;
  readonly #library: Library;
  /** What is known without the noted choices. */
  #base: Choices = nothingChosen;
  #noted: Choice[] = [];
  /** Choices on their way into the record: one that was read before they are in it does not take them back. */
  #recording: Choice[] = [];
  /** "new": not begun; "begun": its first turn was sent; "loading": there is one, not read yet; "recorded": its record is known. */
  #stage: "new" | "begun" | "loading" | "recorded";
  /** Its question came back while another conversation's draft was in the tab's place for new ones. */
  #displaced = false;
  /** A question that waits for what was said before it. */
  #waiting = "";
  /** The page that was carried into a conversation which has not begun. */
  #carried = "";
  /** Whether the draft is the learner's of this page: an older one does not come over it any more. */
  #written = false;
  /** The draft that was kept is being read: what is chosen meanwhile comes on top of it. */
  #reading = false;

  constructor(parts: { drafts: Drafts; library: Library }, options: { id: string; isNew: boolean }) {
    this.#drafts = parts.drafts;
    this.#library = parts.library;
    this.#id = options.id;
    this.#stage = options.isNew ? "new" : "loading";
  }

  /** What is attached and who is to answer, all choices made. */
  get choices(): Choices {
    return [...this.#recording, ...this.#noted].reduce(applyChoice, this.#base);
  }

  /** Reads the draft that was kept. */
  async load(): Promise<void> {
    this.#reading = true;
    const draft = await this.#drafts.read(this.#key).finally(() => {
      this.#reading = false;
    });
    if (draft && !this.#written) {
      this.text = draft.text;
      if (this.#stage === "new") {
        const { references, model, mode, carried } = draft;
        this.#carried = carried ?? "";
        this.#base = { references, model: model ?? this.#base.model, mode: mode ?? "ask" };
      }
    }
    if (this.#stage === "new" && this.#noted.length > 0) this.#settle();
  }

  write(text: string): void {
    this.text = text;
    this.#written = true;
    this.#keep();
  }

  /** Attaches the page the learner comes from, in place of the one they came from before, whatever is typed; what they attached themselves stays. */
  attachCarriedPage(page: AttachedReference): void {
    const before = this.#carried;
    const attachedByHand = before !== page.href && this.choices.references.some(({ href }) => href === page.href);
    this.#carried = attachedByHand ? "" : page.href;
    if (this.#stage === "new" && before && before !== page.href) this.choose({ type: "reference_removed", data: { href: before } });
    this.choose({ type: "reference_attached", data: page });
  }

  choose(choice: Choice): void {
    this.#noted.push(choice);
    if (this.#stage === "recorded") void this.record();
    else if (this.#stage === "new" && !this.#reading) this.#settle();
  }

  /** A question waits for what was said before it: a page that goes away meanwhile keeps it with the draft. Empty when none does. */
  holdQuestion(question: string): void {
    this.#waiting = question;
    this.#keep();
  }

  /** The first turn was sent; the tab's place is free for another conversation. */
  markBegun(): void {
    if (this.#stage === "new") this.#drafts.write(this.#key, emptyDraft);
    this.resume(this.choices);
  }

  /** The first turn was sent with these choices, by a page before this one. */
  resume(choices: Choices): void {
    this.#stage = "begun";
    this.#base = choices;
    this.#noted = [];
  }

  /** Nothing came of the first turn. */
  async revertToNew(): Promise<void> {
    this.clearDraft();
    const other = await this.#drafts.read(null);
    this.#displaced = other !== null && (other.text !== "" || other.references.length > 0);
    this.#stage = "new";
    this.#settle();
  }

  /** The record says what was chosen; what is noted here is not in it yet. */
  setRecorded(recorded: Choices): void {
    this.#base = { references: recorded.references, model: recorded.model, mode: recorded.mode };
    this.#stage = "recorded";
  }

  /** Records what was noted and changes something, once the conversation is known. */
  async record(): Promise<void> {
    if (this.#stage !== "recorded") return;
    let choices = this.#recording.reduce(applyChoice, this.#base);
    const changes = this.#noted.splice(0).filter((choice) => {
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

  /** Lets go of the draft. */
  clearDraft(): void {
    this.#drafts.write(this.#id, emptyDraft);
  }

  #settle(): void {
    this.#base = this.choices;
    this.#noted = [];
    this.#keep();
  }

  /** A conversation that has not begun keeps its draft in the tab's place for new ones. */
  get #key(): string | null {
    return this.#stage === "new" && !this.#displaced ? null : this.#id;
  }

  #keep(): void {
    const key = this.#key;
    const { references, model, mode } = this.choices;
    const text = [this.#waiting, this.text].filter(Boolean).join("\n\n");
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
