import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { followDrags } from "../drag.ts";
import type { EditingSession } from "../session.ts";
import { moveBlockTo } from "./move-block.ts";

const item = "[data-block-id]";

/**
 * Blocks follow a pointer that takes them by the grip of their toolbar.
 * @param list holds the elements of one topic's blocks, in order, each with `data-block-id`
 * @returns ends it
 */
export const followGrips = (list: HTMLElement, session: EditingSession): (() => void) =>
  followDrags({
    list,
    item,
    grip: ".grip",
    others: (block) => [...list.querySelectorAll<HTMLElement>(item)].filter((one) => one !== block),
    drop(grip, { dataset: { blockId = "" } }, place) {
      const from = findBlock(session.state.course, blockId)?.index;
      if (from !== undefined && place !== from) void moveBlockTo(grip, session, blockId, place);
    },
  });
