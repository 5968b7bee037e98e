import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { conversionsOf } from "@colloquy/schemas/courses/editing/convert.ts";
import { convertBlock, deleteBlock, duplicateBlock, findBlock, insertBlock, moveBlockTo } from "@colloquy/schemas/courses/editing/edit.ts";
import { readQuestionHeader } from "@colloquy/schemas/courses/editing/question-source.ts";
import { type InsertableType, starterSource, starterWords } from "@colloquy/schemas/courses/editing/starters.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { msg } from "../../messages/page.ts";
import { typeName } from "../fields/block-types.ts";
import type { EditingSession } from "../session.ts";
import { BlockShownEvent } from "./events.ts";

/** Actions on whole blocks. Each is one undo step, is announced, and moves the focus on. */

const announce = (near: HTMLElement, words: string): boolean => near.dispatchEvent(new AnnounceEvent(words));

/** Inserts a copy below the block and selects it. */
export function duplicate(near: HTMLElement, session: EditingSession, blockId: string): void {
  const copy = uuidv7();
  const topicId = findBlock(session.state.course, blockId)?.topic.id;
  if (!topicId) return;
  session.apply({ label: msg("editor.blockDuplicated"), place: { topicId, blockId } }, (course) =>
    duplicateBlock(course, blockId, () => copy),
  );
  announce(near, msg("editor.duplicatedCopyStandsBelow"));
  near.dispatchEvent(new BlockShownEvent({ topicId, blockId: copy, focus: "block" }));
}

export function remove(near: HTMLElement, session: EditingSession, blockId: string): void {
  const found = findBlock(session.state.course, blockId);
  if (!found) return;
  const { topic, index, block } = found;
  const next = topic.blocks[index + 1] ?? topic.blocks[index - 1];
  session.apply({ label: msg("editor.blockDeleted"), place: { topicId: topic.id, blockId } }, (course) => deleteBlock(course, blockId));
  announce(near, msg("editor.deletedUndoBringsBack", { type: typeName(block.type) }));
  if (next) near.dispatchEvent(new BlockShownEvent({ topicId: topic.id, blockId: next.id, focus: "block" }));
}

/** @returns false if the source has errors and cannot be converted */
export function convert(near: HTMLElement, session: EditingSession, blockId: string, type: BlockType): boolean {
  const found = findBlock(session.state.course, blockId);
  if (!found || !conversionsOf(found.block).includes(type)) return false;
  const before = session.state.course;
  session.apply({ label: msg("editor.blockConverted"), place: { topicId: found.topic.id, blockId } }, (course) =>
    convertBlock(course, blockId, type),
  );
  if (session.state.course === before) return false;
  announce(near, msg("editor.now", { type: typeName(type) }));
  return true;
}

/** Moves a block to the end of another page; the author stays on this one. */
export function moveToTopic(near: HTMLElement, session: EditingSession, blockId: string, topicId: string): void {
  const { course } = session.state;
  const found = findBlock(course, blockId);
  const aim = course.topics.find(({ id }) => id === topicId);
  if (!found || !aim || aim === found.topic) return;
  const next = found.topic.blocks[found.index + 1] ?? found.topic.blocks[found.index - 1];
  session.apply({ label: msg("editor.blockMoved"), place: { topicId: found.topic.id, blockId } }, (before) =>
    moveBlockTo(before, blockId, topicId, aim.blocks.length),
  );
  const moved = msg("editor.movedEndUndoBrings", { page: aim.title });
  const header = found.block.type === "core.question" ? readQuestionHeader(found.block.source) : null;
  const isBound = header !== null && (header.objective !== "" || header.about.length > 0);
  announce(near, isBound ? `${moved} ${msg("questionForm.chosenOfAnotherPage")}` : moved);
  if (next) near.dispatchEvent(new BlockShownEvent({ topicId: found.topic.id, blockId: next.id, focus: "block" }));
}

/** Inserts a new block with the starter source of its type. @param at from 0 */
export function insert(near: HTMLElement, session: EditingSession, topicId: string, at: number, type: InsertableType): void {
  const blockId = uuidv7();
  session.apply({ label: msg("editor.blockInserted"), place: { topicId, blockId } }, (course) =>
    insertBlock(course, topicId, at, { id: blockId, type, source: starterSource(type) }),
  );
  announce(near, msg("editor.inserted", { type: typeName(type) }));
  near.dispatchEvent(new BlockShownEvent({ topicId, blockId, focus: "field", words: starterWords(type) }));
}
