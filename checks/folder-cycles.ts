import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Fails where the folders of a room import each other in a cycle. Run by `npm run rooms`. */

const home = fileURLToPath(new URL("..", import.meta.url));
const rooms = ["schemas", "messages", "infra", "command-api", "render-service", "ui", "client"];
const isTest = (file: string): boolean => /[.](?:test|fixture)[.]ts$|\/(?:testing|evaluation|test-broker)\//.test(file);

/** The folder right below the room that a file is in; null for a file of the room itself. */
function folderOf(file: string): string | null {
  const [room = "", folder = "", ...rest] = file.split("/");
  return rest.length > 0 ? `${room}/${folder}` : null;
}

/** For each folder of a room the folders it imports, each with one import as an example. */
function importsOf(room: string): Map<string, Map<string, string>> {
  const edges = new Map<string, Map<string, string>>();
  const options = { cwd: home, exclude: (name: string) => /(?:^|\/)(?:node_modules|dist|dist-[^/]+)$/.test(name) };
  for (const file of globSync(`${room}/**/*.ts`, options).filter((name) => !isTest(name))) {
    const from = folderOf(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(join(home, file), "utf8"), true, true).importedFiles) {
      if (!fileName.startsWith(".")) continue;
      const target = relative(home, join(home, dirname(file), fileName));
      const to = folderOf(target);
      if (!from || !to || from === to || !to.startsWith(`${room}/`) || isTest(target)) continue;
      const targets = edges.get(from) ?? new Map<string, string>();
      edges.set(from, targets.set(to, `${file} imports ${target}`));
    }
  }
  return edges;
}

/** A shortest cycle of folders, as its imports; null where there is none. */
function cycleIn(edges: ReturnType<typeof importsOf>): string[] | null {
  let shortest: string[] | null = null;
  for (const start of edges.keys()) {
    const paths = new Map<string, string[]>([[start, []]]);
    for (const [folder, path] of paths)
      for (const [next, example] of edges.get(folder) ?? []) {
        if (next === start && (!shortest || path.length + 1 < shortest.length)) shortest = [...path, example];
        if (!paths.has(next)) paths.set(next, [...path, example]);
      }
  }
  return shortest;
}

const cycles = rooms.flatMap((room) => {
  const cycle = cycleIn(importsOf(room));
  return cycle ? [`Folders of ${room} import each other in a cycle:\n  ${cycle.join("\n  ")}`] : [];
});
if (cycles.length > 0) {
  console.error(cycles.join("\n"));
  process.exitCode = 1;
} else console.log("No cycle between the folders of a room.");
