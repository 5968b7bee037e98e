import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "./program.ts";

const linearMaps = fileURLToPath(new URL("../infra/demo/courses/linear-maps", import.meta.url));
const questionsPerTopic = 4;

/**
 * Publishes the course on linear maps under an id, with few questions: an editor that shows all forty of a page holds 16,000 elements, and
 * every look for a button goes through them.
 */
export async function publishShortCourse(program: Program, courseId: string): Promise<void> {
  const folder = join(program.dataDir, `short-${courseId}`);
  cpSync(linearMaps, folder, { recursive: true });
  const topics = join(folder, "topics");
  for (const name of readdirSync(topics)) {
    let questions = 0;
    const blocks = readFileSync(join(topics, name), "utf8").split(/^(?=<!-- )/m);
    const kept = blocks.filter((block) => !block.startsWith("<!-- core.question ") || ++questions <= questionsPerTopic);
    writeFileSync(join(topics, name), kept.join(""));
  }
  await program.tool("command-api/publication/import/cli.ts", folder, "--id", courseId);
}
