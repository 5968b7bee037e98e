import { editBlockSource, editManifest, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { config } from "zod";
import { editorApi } from "../../api/editor.ts";
import { DraftAutosave } from "../draft-autosave.ts";
import { Drafts } from "../drafts.ts";
import { Publisher } from "../publishing/publisher.ts";
import { EditingSession } from "../session.ts";
import "../status/status.ts";
import type {} from "./desk.ts";

// As on any page of ours, whose policy lets no text become code; what a debugger brings in finds that out too late.
config({ jitless: true });

const page = document.querySelector<HTMLElement>("main [data-course]");
const { course: courseId = "", account: accountId = "" } = page?.dataset ?? {};
const drafts = new Drafts();
let session: EditingSession;
let publisher: Publisher;

const topicId = (slug: string): string => session.state.course.topics.find((topic) => topic.slug === slug)?.id ?? "";

window.desk = {
  async open() {
    const api = editorApi(accountId);
    const { draft } = await drafts.open(courseId, accountId);
    const own = draft && !draft.receipt ? draft : null;
    const { course, sequence, revisionId } = await api.source(courseId, own?.base.revisionId);
    session = new EditingSession({
      base: { sequence, revisionId },
      baseCourse: course,
      course: own?.course ?? course,
      renamedIds: own?.renamedIds ?? [],
    });
    const autosave = new DraftAutosave({ session, drafts, courseId, accountId, draft });
    publisher = new Publisher({ api, session, autosave, courseId, accountId });
    const status = document.createElement("colloquy-editor-status");
    Object.assign(status, { publisher, autosave, undo: () => session.undo() });
    status.lang = "en";
    document.querySelector("main")?.append(status);
  },
  mark(words) {
    session.apply({ label: words }, (course) => {
      const [first, last] = [course.topics[0], course.topics.at(-1)];
      const marked = editManifest(course, { summary: `Mark ${words}` });
      return editTopic(editTopic(marked, first?.id ?? "", { summary: `Mark ${words}` }), last?.id ?? "", { summary: `Mark ${words}` });
    });
  },
  write(slug, source) {
    const block = session.state.course.topics.find((topic) => topic.slug === slug)?.blocks[0];
    session.apply({ label: "Typing" }, (course) => editBlockSource(course, block?.id ?? "", source));
  },
  title(slug, title) {
    session.apply({ label: "Title" }, (course) => editTopic(course, topicId(slug), { title }));
  },
  undo: () => void session.undo(),
  leave: () => publisher.leave(),
  state: () => publisher.state,
  draft: () => drafts.read(courseId),
};
