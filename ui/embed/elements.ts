import { EmbeddedElement, type PartModule } from "./element.ts";
import type { AskPart, EmbeddedProgress, EmbeddedQuiz, EmbedState, QuizPart, TutorPart } from "./types.ts";

/**
 * @summary Answers a learner's questions from the courses of a service, with every statement linked to the passage it stands on.
 * @tag colloquy-ask
 * @attr {string} service - Origin of the service that is asked. Where the script came from, when it is left out.
 * @attr {string} page - Path of a course page the questions are about, such as `/courses/shell/pipes`. It is attached to every question.
 * @attr {string} question - What stands in the field at the beginning.
 * @attr {string} lang - Language it speaks: `en`, `de` or `ar`. Left out, the nearest `lang` around it, else the browser's.
 * @attr {"light"|"dark"} theme - Light or dark. Left out, the element follows the `color-scheme` of the page around it.
 * @prop {string} service - As the attribute.
 * @prop {EmbedState} state - Where the element stands with its service (read only).
 * @method ask(question: string): Promise<void> - Asks a question. Resolves once it is answered, stopped or has failed; does nothing while nobody is signed in.
 * @method signIn(): void - Opens the sign-in window. Call it from a click, or browsers keep the window closed.
 * @method load(): void - Loads the element now, seen or not.
 * @fires {CustomEvent<null>} colloquy-ready - What it needs is loaded.
 * @fires {CustomEvent<{state: EmbedState}>} colloquy-state - `state` changed.
 * @fires {CustomEvent<{question: string}>} colloquy-asked - A question was sent.
 * @fires {CustomEvent<{text: string, citations: EmbeddedCitation[]}>} colloquy-answered - An answer is whole. `text` is Markdown, `[^1]` the citation of that number.
 * @fires {CustomEvent<{code: string, title: string}>} colloquy-failed - A question got no answer, or not all of it.
 * @fires {CustomEvent<{href: string}>} colloquy-open - A link is about to be opened in a new tab. Cancel it to open it yourself.
 * @slot - Shown until the element is loaded, and where scripts do not run.
 * @slot heading - Stands above the conversation.
 * @slot signed-out - Words above the sign-in button, instead of ours.
 * @csspart frame - Everything.
 * @csspart head - The line above the conversation.
 * @csspart attribute-errors - What is wrong with an attribute, also written to the console.
 * @csspart note - What is said instead of a conversation: signed out, refused, not reachable.
 * @csspart button - The sign-in button and its like.
 * @csspart unkept - The line that says that something could not be kept in the history.
 * @csspart composer - The frame around the question.
 * @csspart composer-text - The field for the question.
 * @csspart composer-send - The button that sends and stops.
 * @cssprop [--colloquy-accent] - Colour of links, citations and the one primary button.
 * @cssprop [--colloquy-accent-ink] - Colour of words on it.
 * @cssprop [--colloquy-paper] - Background of what is read.
 * @cssprop [--colloquy-raised] - Background of what is operated.
 * @cssprop [--colloquy-ink] - Colour of text.
 * @cssprop [--colloquy-line] - Colour of lines.
 * @cssprop [--colloquy-font-read=Georgia, serif] - Fonts of what is read.
 * @cssprop [--colloquy-font-ui=system-ui, sans-serif] - Fonts of what is operated.
 * @cssprop [--colloquy-rem=16px] - The size all others are reckoned from.
 * @cssprop [--colloquy-height=36rem] - Height of the element.
 */
export class ColloquyAsk extends EmbeddedElement {
  static override readonly observedAttributes = ["service", "page", "question", "lang", "theme"];
  protected override import(): Promise<PartModule> {
    return import("./ask-part.ts");
  }
  get state(): EmbedState {
    return (this.part_ as AskPart | null)?.state ?? "loading";
  }
  async ask(question: string): Promise<void> {
    await (this.part_ as AskPart | null)?.ask(question);
  }
  signIn(): void {
    (this.part_ as AskPart | null)?.signIn();
  }
}

/**
 * @summary A quiz: made by a service from a course page, or given by the page it stands in.
 * @tag colloquy-quiz
 * @attr {string} service - Origin of the service that makes the quiz. Where the script came from, when it is left out.
 * @attr {string} page - Path of the course page the quiz is about.
 * @attr {string} about - What it is about, in words, where that is not the whole page.
 * @attr {string} lang - Language it speaks: `en`, `de` or `ar`. Left out, the nearest `lang` around it, else the browser's.
 * @attr {"light"|"dark"} theme - Light or dark. Left out, the element follows the `color-scheme` of the page around it.
 * @prop {string} service - As the attribute.
 * @prop {EmbeddedQuiz|null} quiz - The quiz that is shown. Give one of your own, and nobody has to sign in.
 * @prop {EmbedState} state - Where the element stands with its service (read only).
 * @method signIn(): void - Opens the sign-in window. Call it from a click, or browsers keep the window closed.
 * @method load(): void - Loads the element now, seen or not.
 * @fires {CustomEvent<null>} colloquy-ready - What it needs is loaded.
 * @fires {CustomEvent<{state: EmbedState}>} colloquy-state - `state` changed.
 * @fires {CustomEvent<{quiz: EmbeddedQuiz}>} colloquy-made - A quiz was made.
 * @fires {CustomEvent<{score: number, answers: object}>} colloquy-scored - A learner finished the quiz. `score` is between 0 and 1.
 * @fires {CustomEvent<{code: string, title: string}>} colloquy-failed - The quiz could not be made.
 * @fires {CustomEvent<{href: string}>} colloquy-open - A link is about to be opened in a new tab. Cancel it to open it yourself.
 * @slot - Shown until the element is loaded, and where scripts do not run.
 * @slot heading - Stands above the quiz.
 * @slot signed-out - Words above the sign-in button, instead of ours.
 * @csspart frame - Everything.
 * @csspart head - The line above the quiz.
 * @csspart attribute-errors - What is wrong with an attribute, also written to the console.
 * @csspart note - What is said instead of a quiz.
 * @csspart button - The button that makes a quiz, and its like.
 * @csspart unkept - The line that says that something could not be kept in the history.
 * @cssprop [--colloquy-accent] - Colour of what is chosen, of links and of the one primary button.
 * @cssprop [--colloquy-paper] - Background.
 * @cssprop [--colloquy-ink] - Colour of text.
 * @cssprop [--colloquy-font-read=Georgia, serif] - Fonts of what is read.
 * @cssprop [--colloquy-font-ui=system-ui, sans-serif] - Fonts of what is operated.
 * @cssprop [--colloquy-rem=16px] - The size all others are reckoned from.
 */
export class ColloquyQuiz extends EmbeddedElement {
  static override readonly observedAttributes = ["service", "page", "about", "lang", "theme"];
  #quiz: EmbeddedQuiz | null = null;
  protected override import(): Promise<PartModule> {
    return import("./quiz-part.ts");
  }
  get quiz(): EmbeddedQuiz | null {
    return this.#quiz;
  }
  set quiz(quiz: EmbeddedQuiz | null) {
    this.#quiz = quiz;
    this.changed();
  }
  get state(): EmbedState {
    return (this.part_ as QuizPart | null)?.state ?? "loading";
  }
  signIn(): void {
    (this.part_ as QuizPart | null)?.signIn();
  }
}

/**
 * @summary A course to read: its contents, or one topic of it. Needs nobody to sign in.
 * @tag colloquy-course
 * @attr {string} service - Origin of the service the course is read from. Where the script came from, when it is left out.
 * @attr {string} course - Id of the course, such as `shell-novice`.
 * @attr {string} page - Path of the course, or of a page of it to show, such as `/courses/shell-novice/pipes`. Instead of `course` and `topic`.
 * @attr {string} topic - Id of a topic to show, or the end of its address. Left out, the contents are shown.
 * @attr {string} lang - Language it speaks: `en`, `de` or `ar`. Left out, the nearest `lang` around it, else the browser's.
 * @attr {"light"|"dark"} theme - Light or dark. Left out, the element follows the `color-scheme` of the page around it.
 * @prop {string} service - As the attribute.
 * @method load(): void - Loads the element now, seen or not.
 * @fires {CustomEvent<null>} colloquy-ready - What it needs is loaded.
 * @fires {CustomEvent<{state: EmbedState}>} colloquy-state - Whether the service can be asked from this page changed.
 * @fires {CustomEvent<{topicId: string, title: string}>} colloquy-topic - A topic is shown.
 * @fires {CustomEvent<{href: string}>} colloquy-open - A link is about to be opened in a new tab. Cancel it to open it yourself.
 * @slot - Shown until the element is loaded, and where scripts do not run.
 * @slot heading - Stands above the course.
 * @csspart frame - Everything.
 * @csspart head - The line above the course.
 * @csspart attribute-errors - What is wrong with an attribute, also written to the console.
 * @csspart note - What is said instead of a course.
 * @csspart button - Buttons that go between topics.
 * @csspart text - The text of a topic.
 * @cssprop [--colloquy-accent] - Colour of links.
 * @cssprop [--colloquy-paper] - Background.
 * @cssprop [--colloquy-ink] - Colour of text.
 * @cssprop [--colloquy-font-read=Georgia, serif] - Fonts of what is read.
 * @cssprop [--colloquy-font-ui=system-ui, sans-serif] - Fonts of what is operated.
 * @cssprop [--colloquy-font-code=ui-monospace, monospace] - Fonts of code.
 * @cssprop [--colloquy-rem=16px] - The size all others are reckoned from.
 */
export class ColloquyCourse extends EmbeddedElement {
  static override readonly observedAttributes = ["service", "course", "page", "topic", "lang", "theme"];
  protected override import(): Promise<PartModule> {
    return import("./course-part.ts");
  }
}

/**
 * @summary A tutor: asks what a learner can do already, plans a path through a course, teaches it step by step and checks each step.
 * @tag colloquy-tutor
 * @attr {string} service - Origin of the service that tutors. Where the script came from, when it is left out.
 * @attr {string} course - Id of the course, such as `shell-novice`. Left out, the learner chooses one.
 * @attr {string} page - Path of a course page the tutor is to pay heed to.
 * @attr {string} goal - What stands in the field for the goal at the beginning.
 * @attr {string} session - Id of a session to go on with. It opens for the learner it belongs to and for nobody else.
 * @attr {string} lang - Language it speaks: `en`, `de` or `ar`. Left out, the nearest `lang` around it, else the browser's.
 * @attr {"light"|"dark"} theme - Light or dark. Left out, the element follows the `color-scheme` of the page around it.
 * @prop {string} service - As the attribute.
 * @prop {string|null} session - Id of the session that is shown. Setting it opens another one.
 * @prop {EmbeddedProgress|null} progress - How far the learner is; null while there is no session (read only).
 * @prop {EmbedState} state - Where the element stands with its service (read only).
 * @method start(goal: string): Promise<void> - Begins a session with a goal on the chosen course. Resolves once the first question is there, or it has failed.
 * @method pause(): Promise<void> - Pauses the session. Everything is saved on all devices.
 * @method resume(): Promise<void> - Goes on with a paused session.
 * @method signIn(): void - Opens the sign-in window. Call it from a click, or browsers keep the window closed.
 * @method load(): void - Loads the element now, seen or not.
 * @fires {CustomEvent<null>} colloquy-ready - What it needs is loaded.
 * @fires {CustomEvent<{state: EmbedState}>} colloquy-state - `state` changed.
 * @fires {CustomEvent<EmbeddedProgress>} colloquy-progress - The session has begun, or gone on. Keep its `sessionId` for another visit.
 * @fires {CustomEvent<{code: string, title: string}>} colloquy-failed - Something asked of the tutor did not work.
 * @fires {CustomEvent<{href: string}>} colloquy-open - A link is about to be opened in a new tab. Cancel it to open it yourself.
 * @slot - Shown until the element is loaded, and where scripts do not run.
 * @slot heading - Stands above the tutor.
 * @slot signed-out - Words above the sign-in button, instead of ours.
 * @csspart frame - Everything.
 * @csspart head - The line above the tutor.
 * @csspart attribute-errors - What is wrong with an attribute, also written to the console.
 * @csspart note - What is said instead of the tutor: signed out, refused, not reachable.
 * @csspart button - The sign-in button and its like.
 * @csspart unkept - The line that says that something could not be kept in the history.
 * @csspart composer - The frame around the goal.
 * @csspart composer-text - The field for the goal.
 * @csspart composer-send - The button that begins and stops.
 * @cssprop [--colloquy-accent] - Colour of what is chosen, of links and of the one primary button.
 * @cssprop [--colloquy-accent-ink] - Colour of words on it.
 * @cssprop [--colloquy-paper] - Background of what is read.
 * @cssprop [--colloquy-raised] - Background of questions and what is operated.
 * @cssprop [--colloquy-ink] - Colour of text.
 * @cssprop [--colloquy-line] - Colour of lines.
 * @cssprop [--colloquy-font-read=Georgia, serif] - Fonts of what is read.
 * @cssprop [--colloquy-font-ui=system-ui, sans-serif] - Fonts of what is operated.
 * @cssprop [--colloquy-rem=16px] - The size all others are reckoned from.
 * @cssprop [--colloquy-height=36rem] - Height of the element.
 */
export class ColloquyTutor extends EmbeddedElement {
  static override readonly observedAttributes = ["service", "course", "page", "goal", "session", "lang", "theme"];
  #session: string | null = null;
  protected override import(): Promise<PartModule> {
    return import("./tutor-part.ts");
  }
  override attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === "session") this.#session = value || null;
    this.changed();
  }
  get session(): string | null {
    return this.#session;
  }
  set session(session: string | null) {
    this.#session = session;
    this.changed();
  }
  get progress(): EmbeddedProgress | null {
    return (this.part_ as TutorPart | null)?.progress ?? null;
  }
  get state(): EmbedState {
    return (this.part_ as TutorPart | null)?.state ?? "loading";
  }
  async start(goal: string): Promise<void> {
    await (this.part_ as TutorPart | null)?.start(goal);
  }
  async pause(): Promise<void> {
    await (this.part_ as TutorPart | null)?.pause();
  }
  async resume(): Promise<void> {
    await (this.part_ as TutorPart | null)?.resume();
  }
  signIn(): void {
    (this.part_ as TutorPart | null)?.signIn();
  }
}

/**
 * @summary Short films that explain a course page: drawn up from its text, changed, made and watched by the learner they belong to. Where a service makes none, the element says so and leads to the page.
 * @tag colloquy-explainer
 * @attr {string} service - Origin of the service that is asked. Where the script came from, when it is left out.
 * @attr {string} page - Path of the course page that is explained.
 * @attr {string} lang - Language it speaks: `en`, `de` or `ar`. Left out, the nearest `lang` around it, else the browser's.
 * @attr {"light"|"dark"} theme - Light or dark. Left out, the element follows the `color-scheme` of the page around it.
 * @prop {string} service - As the attribute.
 * @method load(): void - Loads the element now, seen or not.
 * @fires {CustomEvent<null>} colloquy-ready - What it needs is loaded.
 * @fires {CustomEvent<{state: EmbedState}>} colloquy-state - Whether the service can be asked from this page changed.
 * @fires {CustomEvent<{href: string}>} colloquy-open - A link is about to be opened in a new tab. Cancel it to open it yourself.
 * @slot - Shown until the element is loaded, and where scripts do not run.
 * @slot heading - Stands above the film.
 * @csspart frame - Everything.
 * @csspart head - The line above the film.
 * @csspart attribute-errors - What is wrong with an attribute, also written to the console.
 * @csspart note - What is said instead of a film.
 * @csspart button - Buttons.
 * @cssprop [--colloquy-accent] - Colour of links and buttons.
 * @cssprop [--colloquy-paper] - Background.
 * @cssprop [--colloquy-ink] - Colour of text.
 * @cssprop [--colloquy-font-read=Georgia, serif] - Fonts of what is read.
 * @cssprop [--colloquy-font-ui=system-ui, sans-serif] - Fonts of what is operated.
 * @cssprop [--colloquy-rem=16px] - The size all others are reckoned from.
 */
export class ColloquyExplainer extends EmbeddedElement {
  static override readonly observedAttributes = ["service", "page", "lang", "theme"];
  protected override import(): Promise<PartModule> {
    return import("./explainer-part.ts");
  }
}
