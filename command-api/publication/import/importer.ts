import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";

/** What an importer could not take over as it stood, and what it did instead. */
export interface ImportNote {
  /** Path within the imported folder. */
  file: string;
  line?: number;
  /** How many of it are in the file, where they are not named one by one. */
  count?: number;
  what: string;
  done: string;
}

/** Where a topic and its blocks stand in the imported folder. */
export interface ImportedPlace {
  file: string;
  /** The line of the file at which a line (from 1) of a block's source stands, or where the block begins. */
  lineOf(block: number, line: number): number | undefined;
}

export interface ImportedCourse {
  course: AuthoredCourse;
  /** In the order of `course.topics`. */
  places: ImportedPlace[];
  /** The bytes of `course.assets`, by their paths. */
  assets: Map<string, Uint8Array>;
  report: ImportNote[];
}

/**
 * Reads a folder of one format into an authored course. `previous` is the live revision, so that ids and what
 * depends on them stay the same; `withStableIds` does that for ids.
 * @throws {ImportError} for a folder that cannot be read as this format.
 */
export type Importer = (
  folder: string,
  options: { courseId: string; title?: string; previous: AuthoredCourse | null },
) => Promise<ImportedCourse>;

/** A folder that cannot be imported; the message says why and what to do, for a person at a terminal. */
export class ImportError extends Error {
  override name = "ImportError";
}
