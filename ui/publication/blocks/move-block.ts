import { findBlock, moveBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { activeElementNear } from "../../controls/active-element.ts";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import { followDrags } from "../drag.ts";
import type { EditingSession } from "../session.ts";

/**
 * Moves a block within its topic. Focus and the block's position on the screen stay, so that repeated presses move the same block.
 * @param near an element of the block
 */
export async function moveBlockTo(near: HTMLElement, session: EditingSession, blockId: string, to: number): Promise<void> {
  const found = findBlock(session.state.course, blockId);
  if (!found) return;
  const count = found.topic.blocks.length;
  const place = Math.min(Math.max(to, 0), count - 1);
  const words = { place: formatNumber(place + 1), count: formatNumber(count) };
  if (place === found.index) {
    const end = place === 0 ? msg("editor.alreadyTheFirstOf", words) : msg("editor.alreadyTheLastOf", words);
    near.dispatchEvent(new AnnounceEvent(end));
    return;
  }
  const focused = activeElementNear(near);
  const top = near.getBoundingClientRect().top;
  session.apply({ label: msg("editor.blockMoved"), coalesce: `move ${blockId}`, place: { topicId: found.topic.id, blockId } }, (course) =>
    moveBlock(course, blockId, place),
  );
  near.dispatchEvent(new AnnounceEvent(msg("editor.movedToOf", words)));
  await drawn(near);
  if (!near.isConnected) return;
  if (focused instanceof HTMLElement && focused.isConnected && activeElementNear(near) !== focused) focused.focus({ preventScroll: true });
  scrollBy({ top: near.getBoundingClientRect().top - top, behavior: "instant" });
}

/** Alt+arrow moves a block, also while typing. @returns whether the key was handled */
export function moveKey(near: HTMLElement, session: EditingSession, blockId: string, event: KeyboardEvent): boolean {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  const found = findBlock(session.state.course, blockId);
  if (!found) return false;
  event.preventDefault();
  event.stopPropagation();
  void moveBlockTo(near, session, blockId, found.index + by);
  return true;
}

/** Resolves once all elements around this one are rendered, before the next key press. */
async function drawn(element: HTMLElement): Promise<void> {
  await Promise.resolve();
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { updateComplete } = at as Element & { updateComplete?: Promise<unknown> };
    if (updateComplete instanceof Promise) await updateComplete;
  }
}

/**
 * Blocks can be dragged by the handle of their toolbar.
 * @param list the elements of one topic's blocks, in order, each with `data-block-id`
 * @returns a function that stops it
 */
export const followBlockDrags = (list: HTMLElement, session: EditingSession): (() => void) =>
  followDrags({
    list,
    item: "[data-block-id]",
    grip: ".grip",
    others: (block) => [...list.querySelectorAll<HTMLElement>("[data-block-id]")].filter((one) => one !== block),
    drop(grip, { dataset: { blockId = "" } }, place) {
      const from = findBlock(session.state.course, blockId)?.index;
      if (from !== undefined && place !== from) void moveBlockTo(grip, session, blockId, place);
    },
  });
