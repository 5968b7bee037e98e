import { readFileSync } from "node:fs";

/** The variables the image sets, read from its Dockerfile: what is deployed is checked together with them. */
export function imageEnvironment(): Record<string, string> {
  const text = readFileSync(new URL("Dockerfile", import.meta.url), "utf8").replaceAll("\\\n", " ");
  const pairs = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) => line.trim().split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string]));
}
