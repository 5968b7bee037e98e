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

/** A quiz in another program's file format. Pure. @param origin this service's origin (`https://host`), for links to the sources */
export function exportQuiz(quiz: Quiz, format: ExportFormat, origin: string): ExportedFile {
  const name = fileNameOf(quiz.title);
  if (format === "qti3") return { bytes: zip(qtiFiles(quiz, origin)), type: "application/zip", fileName: `${name}.qti3.zip` };
  const text = format === "gift" ? toGift(quiz, origin) : toAnki(quiz, origin);
  return { bytes: new TextEncoder().encode(text), type: "text/plain;charset=utf-8", fileName: `${name}.${format}.txt` };
}

/** A file name that is valid on every system. */
function fileNameOf(title: string): string {
  const words = title.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-");
  return words.replace(/^-|-$/g, "").slice(0, 60) || "quiz";
}
