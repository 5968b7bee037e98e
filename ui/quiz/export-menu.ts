import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import type { ExportFormat } from "./export/exports.ts";

const formats: { format: ExportFormat; name: string; about: PlainMessageKey }[] = [
  { format: "qti3", name: "QTI 3", about: "quiz.packageAssessmentSystemsZip" },
  { format: "gift", name: "Moodle GIFT", about: "quiz.questionsMoodleQuestionBank" },
  { format: "anki", name: "Anki", about: "quiz.cardEachQuestionTxt" },
];

/**
 * @summary Saves a quiz for other programs. The exporters are loaded on first use.
 */
@customElement("colloquy-quiz-export")
export class QuizExport extends LightElement {
  static override lightStyles = [
    css`
      colloquy-quiz-export { display: contents; }
      colloquy-quiz-export details { display: contents; }
      colloquy-quiz-export summary { display: inline-flex; align-items: center; min-block-size: 44px; padding-inline: 2px; color: var(--ink-soft); font: 450 var(--text-s)/1.4 var(--font-ui); cursor: pointer; list-style: none; border-radius: 4px; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 4px; }
      colloquy-quiz-export summary::-webkit-details-marker { display: none; }
      colloquy-quiz-export summary:hover { color: var(--ink); }
      colloquy-quiz-export summary:focus-visible, colloquy-quiz-export li button:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      colloquy-quiz-export ul { list-style: none; order: 9; flex-basis: 100%; margin: 0; padding: 0; display: grid; }
      colloquy-quiz-export li { border-block-start: 1px solid var(--line); }
      colloquy-quiz-export li:first-child { border: 0; }
      colloquy-quiz-export li button { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; inline-size: 100%; min-block-size: 44px; padding: 10px 8px; border: 0; border-radius: var(--r-s); background: none; color: var(--ink-soft); font: var(--text-s)/1.4 var(--font-ui); text-align: start; cursor: pointer; }
      colloquy-quiz-export li button:hover { background: var(--sunken); }
      colloquy-quiz-export li b { color: var(--ink); font-weight: 600; min-inline-size: 7rem; }
      colloquy-quiz-export .failed { order: 10; flex-basis: 100%; margin: 0; color: var(--bad); }
    `,
  ];

  @property({ attribute: false }) quiz: Quiz | null = null;
  @state() private failed = false;

  protected override render() {
    return html`<details><summary>${msg("audit.export")}</summary>
      <ul>${formats.map(
        ({ format, name, about }) =>
          html`<li><button type="button" @click=${() => this.#save(format, name)}><b>${name}</b> <span>${msg(about)}</span></button></li>`,
      )}</ul></details>
      ${this.failed ? html`<p class="failed">${msg("quiz.fileCouldNotMadePartPage")}</p>` : nothing}`;
  }

  async #save(format: ExportFormat, name: string): Promise<void> {
    const { quiz } = this;
    if (!quiz) return;
    try {
      const { exportQuiz } = await import("./export/exports.ts");
      const { bytes, type, fileName } = exportQuiz(quiz, format, location.origin);
      const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(new Blob([bytes], { type })),
        download: fileName,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.failed = false;
      this.dispatchEvent(new AnnounceEvent(msg("quiz.fileSaved", { format: name })));
    } catch {
      this.failed = true;
      this.dispatchEvent(new AnnounceEvent(msg("quiz.fileCouldNotSaved")));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-quiz-export": QuizExport;
  }
}
