import type { SourceKind } from "@colloquy/schemas/sources/references.ts";
import { msg } from "../messages/page.ts";

const names = {
  course: "common.course",
  collection: "controls.part",
  topic: "controls.page",
  block: "controls.passage",
} as const satisfies Record<SourceKind, string>;

/** The name of a kind of source. */
export const kindName = (kind: SourceKind | undefined): string => (kind ? msg(names[kind]) : msg("controls.page"));
