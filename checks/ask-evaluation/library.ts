import { setTimeout as pause } from "node:timers/promises";
import { type CoursePages, openCoursePages } from "@colloquy/command-api/grounding/course-pages.ts";
import { evaluationFolders } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { createPublication } from "@colloquy/command-api/publication/handlers.ts";
import { importCourse } from "@colloquy/command-api/publication/import/import-course.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openEmbeddings } from "@colloquy/infra/embeddings/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { meaningSearch, openPassageLibrary, type PassageLibrary, shippedVectors } from "@colloquy/projections/passages/queries.ts";
import type { CourseListing, SearchIndex } from "@colloquy/schemas/courses/revision.ts";

export interface EvaluationLibrary {
  library: PassageLibrary;
  pages: CoursePages;
  courses: SearchIndex[];
  close(): Promise<void>;
}

/** How long a question's vector may take, also on a busy machine (ms). */
const questionMs = 30_000;

/** Publishes the evaluation courses as an owner would, into stores below `folder`, and opens the library of their passages with the vectors of the configured model. */
export async function publishedLibrary(folder: string): Promise<EvaluationLibrary> {
  const embedded = await startEventStore({ dataDir: folder, port: 0, insecure: true });
  const store = openEventStore(embedded.url);
  try {
    const objectStore = openObjectStore({ DATA_DIR: folder });
    const publication = createPublication({ eventStore: store, objectStore });
    const listings: CourseListing[] = [];
    const courses: SearchIndex[] = [];
    for (const { courseId, folder: source } of evaluationFolders()) {
      const { course, published } = await importCourse({
        publication,
        courseId,
        folder: source,
        origin: "object-store",
        accountId: "acc_evaluation",
      });
      const { revisionId, sequence, position } = published;
      const { title, summary, language } = course.manifest;
      listings.push({
        courseId,
        origin: "object-store",
        title,
        summary,
        language,
        topics: course.topics.length,
        sequence,
        revisionId,
        position,
        publishedAt: new Date().toISOString(),
      });
      courses.push(await readSearchIndex(objectStore, courseId, revisionId));
    }
    const catalogue = {
      list: async () => listings,
      get: async (id: string) => listings.find(({ courseId }) => courseId === id) ?? null,
    };
    const log = createLog("evaluation", { LOG_LEVEL: "warn" });
    const embeddings = openEmbeddings(readConfig(process.env));
    const meaning = embeddings && meaningSearch({ objectStore, log, shipped: shippedVectors, ...embeddings, questionMs });
    const library = openPassageLibrary({ objectStore, catalogue, ...(meaning && { embedQuestion: meaning.embedQuestion }) });
    const stop = new AbortController();
    const keeping = meaning?.keepVectors(library, stop.signal);
    // `current` is true from the first pass on, while vectors of some passages are still made.
    const isComplete = (): boolean => {
      const progress = meaning?.progress();
      return !progress || (progress.current && progress.passages > 0 && progress.embedded === progress.passages);
    };
    while (!isComplete()) await pause(200);
    const close = async (): Promise<void> => {
      stop.abort();
      await keeping;
      await embeddings?.embedder.close();
    };
    return { library, pages: openCoursePages({ objectStore, library, catalogue }), courses, close };
  } finally {
    await store.close();
    await embedded.close();
  }
}
