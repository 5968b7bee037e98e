import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { html, render } from "lit";
import { DraftAutosave } from "../draft-autosave.ts";
import { Drafts } from "../drafts.ts";
import "../editor.ts";
import { prepareRendering } from "../draft-rendering.ts";
import { EditingSession } from "../session.ts";
import { longCourse } from "./course.ts";
import type {} from "./typing-page.ts";

const accountId = "acc_owner000";
let costs: number[] = [];
let each: (() => void) | null = null;
let close: (() => void) | null = null;

addEventListener(
  "keydown",
  ({ timeStamp }) => {
    addEventListener(
      "input",
      () => {
        each?.();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => costs.push(performance.now() - timeStamp);
          port2.postMessage(null);
        });
      },
      { once: true },
    );
  },
  { capture: true },
);

window.editorTyping = {
  async open({ blocks, plain = false, control = false }) {
    close?.();
    close = null;
    each = null;
    render(html``, document.body);
    if (plain) {
      render(html`<textarea rows="8" cols="80"></textarea>`, document.body);
      const field = document.querySelector("textarea");
      field?.focus();
    } else {
      const editor = await openEditor(longCourse(blocks));
      if (control) each = () => drawAllAnew(editor.querySelectorAll("colloquy-editor-block"));
      await editor.showBlock("topic-one", `block-${Math.floor(blocks / 2)}`, "field");
      while (!(document.activeElement instanceof HTMLTextAreaElement)) await new Promise(requestAnimationFrame);
    }
    costs = [];
  },
  takeKeys: () => costs.splice(0),
};

/** The editor as an owner has it, with a draft that is kept as one types. */
async function openEditor(course: AuthoredCourse) {
  const courseId = `course-${crypto.randomUUID()}`;
  const own = { ...course, manifest: { ...course.manifest, courseId } };
  const session = new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: own, course: own, renamedIds: [] });
  const drafts = new Drafts();
  const autosave = new DraftAutosave({ session, drafts, courseId, accountId, draft: null });
  await prepareRendering(own);
  const editor = document.createElement("colloquy-editor");
  Object.assign(editor, { session, pageId: "topic-one" });
  document.body.append(editor);
  const drawn = (): boolean =>
    [...editor.querySelectorAll(".drawn")].filter((one) => one.hasChildNodes()).length === own.topics[0]?.blocks.length;
  while (!drawn()) await new Promise((resolve) => setTimeout(resolve, 50));
  close = () => {
    autosave.dispose();
    drafts.close();
    editor.remove();
  };
  return editor;
}

/** As an editor does that renders its page from the course at each letter. */
function drawAllAnew(blocks: Iterable<HTMLElement>): void {
  for (const block of blocks) {
    const drawn = block.querySelector(".drawn");
    drawn?.replaceChildren(...[...drawn.childNodes].map((node) => node.cloneNode(true)));
  }
  void document.body.offsetHeight;
}
