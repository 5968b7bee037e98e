import type { Scene } from "./scene.ts";
import { auditScenes } from "./scenes/audit.ts";
import { boundaryScenes } from "./scenes/boundaries.ts";
import { drawingScenes } from "./scenes/drawing.ts";
import { editorScenes } from "./scenes/editor.ts";
import { filmScenes } from "./scenes/film.ts";
import { quizScenes } from "./scenes/quiz.ts";
import { readingScenes } from "./scenes/reading.ts";
import { reviewScenes } from "./scenes/review.ts";
import { tutorScenes } from "./scenes/tutor.ts";
import { workspaceScenes } from "./scenes/workspace.ts";

/** Every page in every state. Those of one page stand together, in the order in which what they share comes about. */
export const scenes: readonly Scene[] = [
  ...readingScenes,
  ...boundaryScenes,
  ...workspaceScenes,
  ...quizScenes,
  ...tutorScenes,
  ...auditScenes,
  ...filmScenes,
  ...editorScenes,
  ...drawingScenes,
  ...reviewScenes,
];
