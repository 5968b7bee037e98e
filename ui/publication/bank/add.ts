import { editBlockSource, insertBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { bodyStart, readQuestionHeader, withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { msg } from "../../messages/page.ts";
import type { EditingSession } from "../session.ts";

/** A question for the draft, as the source of its block. */
export interface QuestionAddition {
  topicId: string;
  /** The block that it is to stand behind; at the end of the page where there is none. */
  after: string | null;
  source: string;
}

/** Puts a question into the draft, once. One that stands there already is retired or asked again as the addition says. @returns where it stands */
export function addQuestion(session: EditingSession, { topicId, after, source }: QuestionAddition): ErrorPlace {
  const blocks = session.state.course.topics.find(({ id }) => id === topicId)?.blocks ?? [];
  const bodyOf = (text: string): string => text.slice(bodyStart(text)).trim();
  const standing = blocks.find((block) => block.type === "core.question" && bodyOf(block.source) === bodyOf(source));
  const blockId = standing?.id ?? uuidv7();
  const place = { topicId, blockId };
  if (standing) {
    const retired = readQuestionHeader(source)?.retired ? "true" : "";
    session.apply({ label: msg("editor.blockInserted"), place }, (course) =>
      editBlockSource(course, blockId, withHeaderField(standing.source, "retired", retired)),
    );
  } else {
    const at = blocks.findIndex(({ id }) => id === after) + 1 || blocks.length;
    session.apply({ label: msg("editor.blockInserted"), place }, (course) =>
      insertBlock(course, topicId, at, { id: blockId, type: "core.question", source }),
    );
  }
  return { kind: "block", id: blockId, topicId, field: null, line: null };
}
