import { parseArgs } from "node:util";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { type DrawnFilm, drawn, filmedCourses, filmedTopics } from "./films/drawn.ts";

/**
 * `npm run film:measure -- [--courses <id>,…] [--topic <words>] [--show]`: every film that the demonstration model draws up of whole courses,
 * held against the rules, the layout and the second look; how many stand at the first try, with which layouts and pictures, and how far the
 * emphases of a topic tell different things. `--topic` takes topics whose titles have the words, `--show` prints the films.
 */
const { values } = parseArgs({
  options: {
    courses: { type: "string", default: filmedCourses.join() },
    topic: { type: "string" },
    show: { type: "boolean", default: false },
  },
});

const pictures = new Set(["diagram", "plot", "compare", "code", "formula"]);
const middle = ({ scenes }: DrawnFilm) => scenes.slice(1, -1);

for (const courseId of values.courses.split(",")) {
  const films: DrawnFilm[] = [];
  for (const topic of await filmedTopics(courseId))
    if (values.topic === undefined || topic.title.includes(values.topic))
      for (const emphasis of emphases) {
        const film = drawn(topic, emphasis);
        if (!film) continue;
        const layout = film.found.length > 0 ? [] : await checkLayout(film.scenes, { language: topic.language });
        const found = [...film.found, ...layout.map(({ detail }) => ({ problem: "layout", detail }))];
        films.push({ ...film, found });
        if (values.show) show({ ...film, found });
      }
  if (films.length > 0) tell(courseId, films);
}
process.exit(0);

function tell(courseId: string, films: readonly DrawnFilm[]): void {
  const accepted = films.filter(({ scenes, found }) => scenes.length > 0 && found.length === 0);
  console.log(`\n${courseId}: ${accepted.length} of ${films.length} accepted`);
  for (const { topic, emphasis, board, found } of films.filter((film) => !accepted.includes(film)))
    console.log(
      `  - ${topic.title}, ${emphasis}: ${board.refusal || found.map(({ problem, detail }) => `${problem}: ${detail}`).join(" | ")}`,
    );
  for (const emphasis of emphases) {
    const own = accepted.filter((film) => film.emphasis === emphasis);
    const scenes = own.flatMap(middle);
    const counts = Object.entries(Object.groupBy(scenes, ({ layout }) => layout)).map(([layout, of]) => `${layout} ${of?.length}`);
    const shown = scenes.filter(({ layout }) => pictures.has(layout)).length;
    const drawings = own.filter((film) => middle(film).some(({ layout }) => layout === "diagram" || layout === "plot")).length;
    console.log(
      `  ${emphasis}: ${own.length} films, ${scenes.length} scenes, ${shown} show more than words; ${drawings} films with a diagram or plot; ${counts.join(", ")}`,
    );
  }
  console.log(`  of what a film says, ${Math.round(shared(accepted) * 100)} % is said in another of its topic, on average of pairs`);
}

/** How much of the narration of a film's middle scenes another of the same topic says, too: the mean over pairs. */
function shared(films: readonly DrawnFilm[]): number {
  const shares = [...Map.groupBy(films, ({ topic }) => topic.topicId).values()].flatMap((own) =>
    own.flatMap((one) =>
      own.flatMap((other) => {
        if (one === other) return [];
        const [mine, theirs] = [one, other].map((film) => middle(film).map(({ narration }) => narration));
        return [(mine ?? []).filter((said) => theirs?.includes(said)).length / (mine?.length || 1)];
      }),
    ),
  );
  return shares.reduce((sum, share) => sum + share, 0) / (shares.length || 1);
}

function show({ topic, emphasis, board, found }: DrawnFilm): void {
  console.log(`\n=== ${topic.title} — ${emphasis} ${board.refusal}`);
  for (const {
    layout,
    heading,
    subtitle,
    narration,
    points,
    nodes,
    edges,
    steps,
    code,
    left,
    right,
    terms,
    plot,
    question,
    choices,
  } of board.scenes) {
    console.log(`[${layout}] ${heading || question} ${subtitle}\n    “${narration}”`);
    const shown = {
      points,
      nodes,
      edges,
      steps,
      terms: terms.map(({ tex, label }) => `${tex} ${label}`),
      left: left.title && left,
      right: right.title && right,
    };
    for (const [name, value] of Object.entries(shown))
      if (value && (!Array.isArray(value) || value.length > 0)) console.log(`    ${name}: ${JSON.stringify(value)}`);
    if (code) console.log(code.replace(/^/gm, "      | "));
    if (plot.functions.length > 0) console.log(`    plot: ${JSON.stringify(plot)}`);
    if (choices.length > 0) console.log(`    ${choices.map(({ text, correct }) => `${correct ? "*" : ""}${text}`).join(" / ")}`);
  }
  for (const { problem, detail } of found) console.log(`  !! ${problem}: ${detail}`);
}
