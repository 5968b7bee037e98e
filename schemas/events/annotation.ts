/** Stream `annotation-<id>`: a mark or a drawing has a stream of its own, because deleting it means cutting the stream. */
export const annotationEventTypes = {
  marked: "AnnotationMade",
  note_written: "AnnotationNoteWritten",
  coloured: "AnnotationColoured",
  drawn: "AnnotationDrawn",
  strokes_erased: "AnnotationStrokesErased",
  deleted: "AnnotationDeleted",
} as const;

export const annotationStreamPrefix = "annotation-";
export const annotationStream = (annotationId: string): string => `${annotationStreamPrefix}${annotationId}`;
