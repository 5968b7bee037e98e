import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { toAnki } from "./anki.ts";
import { toGift } from "./gift.ts";
import { qtiFiles } from "./qti.ts";
import { zip } from "./zip.ts";

export type ExportFormat = "qti3" | "gift" | "anki";

export interface ExportedFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  fileName: string;
}

/** A quiz as a file of another program. Pure. @param origin where this service is (`https://host`), for links to the sources */
export function exportQuiz(quiz: Quiz, format: ExportFormat, origin: string): ExportedFile {
  const name = fileNameOf(quiz.title);
  if (format === "qti3") return { bytes: zip(qtiFiles(quiz, origin)), type: "application/zip", fileName: `${name}.qti3.zip` };
  const text = format === "gift" ? toGift(quiz, origin) : toAnki(quiz, origin);
  return { bytes: new TextEncoder().encode(text), type: "text/plain;charset=utf-8", fileName: `${name}.${format}.txt` };
}

/** A title as a file's name on every system. */
function fileNameOf(title: string): string {
  const words = title.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-");
  return words.replace(/^-|-$/g, "").slice(0, 60) || "quiz";
}
