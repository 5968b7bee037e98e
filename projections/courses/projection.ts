import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { publicationEvents, publicationStreamPrefix } from "@colloquy/schemas/publication/events.ts";
import { oneByOne, type Projection } from "../projection.ts";
import { type CourseTables, migrations, tables } from "./tables.ts";

/** The catalogue: the live revision of each course. */
export const projection: Projection<CourseTables> = {
  name: "courses",
  tables,
  streams: [publicationStreamPrefix],
  events: publicationEvents.types,
  migrations,
  apply: oneByOne(async (tx, stored) => {
    const { courseId, title, summary, language, origin, sequence, revisionId, topics } = publicationEvents.parse(stored).data;
    const row: Omit<CourseTables["courses"], "course_id"> = {
      title,
      summary,
      language,
      origin,
      sequence,
      revision_id: revisionId,
      topics,
      published_at: stored.created,
      position: positionColumn(stored.position),
    };
    await tx
      .insertInto("courses")
      .values({ course_id: courseId, ...row })
      // An older revision that is applied again must not replace a newer one.
      .onConflict((conflict) => conflict.column("course_id").doUpdateSet(row).where("courses.sequence", "<", sequence))
      .execute();
  }),
};
