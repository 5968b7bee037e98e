// @ts-check
import { randomUUID } from "node:crypto";
import { createClient, RequestRefused } from "@colloquy/client";

/**
 * `node ask-a-course.mjs <address> "<question>" [cookie]`: asks, prints the answer as it comes and what it stands on. Without a cookie of a
 * session it signs in with a demonstration account, which only a program in development lets it do.
 */
const [address = "http://localhost:8080", message = "What is a linear map?", given] = process.argv.slice(2);

async function demonstrationSession() {
  const response = await fetch(`${address}/auth/demo?as=learner`, { redirect: "manual" });
  return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

const colloquy = createClient({ address, headers: { cookie: given ?? (await demonstrationSession()) } });
try {
  const { courses } = await colloquy("GET /api/courses", {});
  console.log(`Courses: ${courses.map(({ title }) => title).join(", ")}`);
  const frames = await colloquy("POST /api/ai/ask", {
    body: { requestId: randomUUID(), conversationId: null, message, history: [], references: [], model: { choice: "automatic" } },
  });
  for await (const frame of frames) {
    if (frame.kind === "text_delta") process.stdout.write(frame.text);
    if (frame.kind === "complete") {
      console.log("\n");
      for (const { href, title } of frame.citations) console.log(`- ${title}: ${address}${href}`);
    }
    if (frame.kind === "error") throw new Error(frame.title);
  }
} catch (error) {
  if (!(error instanceof RequestRefused)) throw error;
  console.error(`${error.code ?? error.status}: ${error.message}`);
  process.exit(1);
}
