/** Stream `annotation-<id>`: a mark has a stream of its own, because deleting its text means cutting the stream. */
export const annotationEventTypes = {
  marked: "AnnotationMade",
  note_written: "AnnotationNoteWritten",
  coloured: "AnnotationColoured",
  deleted: "AnnotationDeleted",
} as const;

export const annotationStreamPrefix = "annotation-";
export const annotationStream = (annotationId: string): string => `${annotationStreamPrefix}${annotationId}`;
