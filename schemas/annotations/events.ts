import { defineEvents, type EventOf } from "../define-events.ts";
import { annotationChangeData as changes } from "../sync/changes.ts";

/** Stream `annotation-<id>`: a mark or a drawing has a stream of its own, because its deletion truncates the stream. */
export const annotationEvents = defineEvents({
  AnnotationMade: { version: 1, data: changes.marked },
  AnnotationNoteWritten: { version: 1, data: changes.note_written },
  AnnotationColoured: { version: 1, data: changes.coloured },
  AnnotationDrawn: { version: 1, data: changes.drawn },
  AnnotationStrokesErased: { version: 1, data: changes.strokes_erased },
  AnnotationDeleted: { version: 1, data: changes.deleted },
});
export type AnnotationEvent = EventOf<typeof annotationEvents>;
export const isAnnotationEvent = (event: { type: string }): event is AnnotationEvent => annotationEvents.has(event.type);

export const annotationEventTypes = {
  marked: "AnnotationMade",
  note_written: "AnnotationNoteWritten",
  coloured: "AnnotationColoured",
  drawn: "AnnotationDrawn",
  strokes_erased: "AnnotationStrokesErased",
  deleted: "AnnotationDeleted",
} as const satisfies Record<keyof typeof changes, AnnotationEvent["type"]>;

export const annotationStreamPrefix = "annotation-";
export const annotationStream = (annotationId: string): string => annotationStreamPrefix + annotationId;
export const annotationIdOf = (stream: string): string => stream.slice(annotationStreamPrefix.length);
