import { writeFileSync } from "node:fs";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { shippedModel } from "@colloquy/infra/embeddings/shipped-model.ts";
import { shippedVectorsFile } from "@colloquy/projections/passages/vectors/shipped-vectors.ts";
import { encodeVectorSet, extended, textGroups } from "@colloquy/projections/passages/vectors/vector-set.ts";
import { passagesForLearners } from "@colloquy/schemas/courses/audience.ts";

/** The texts of the demonstration courses that search by meaning embeds, by their digests. */
export async function demonstrationTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { courseId, folder } of demonstrationCourses) {
    const { course } = await importNative(folder, { courseId, previous: null });
    for (const group of await textGroups(passagesForLearners(buildSearchIndex(course, "revision-1"))))
      for (const [digest, { text }] of group.texts) texts.set(digest, text);
  }
  return texts;
}

/** `npm run embeddings:demonstration`: embeds the demonstration courses, whose vectors ship with the program. */
if (import.meta.main) {
  const texts = await demonstrationTexts();
  const model = shippedModel();
  const vectors = await model.embed([...texts.values()], { purpose: "passage" });
  writeFileSync(shippedVectorsFile, encodeVectorSet(extended(null, [...texts.keys()], vectors)));
  await model.close();
  console.log(`${texts.size} texts`);
}
