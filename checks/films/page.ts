import type { CheckedFilm } from "./gallery.ts";

const rowOf = ({ pick, film, layouts, quoted, scenes }: CheckedFilm): string => {
  const { metrics, milliseconds, settings } = film;
  const cells = [
    `${pick.topic} (${pick.courseId})`,
    pick.emphasis,
    `${settings.aspect} ${settings.height} ${settings.theme}${settings.voice === "none" ? "" : ", spoken"}`,
    `${(milliseconds / 1_000).toFixed(1)} s`,
    `${metrics.framesDrawn} of ${metrics.frames}`,
    metrics.overflowArea,
    metrics.overlapArea,
    metrics.leastContrast.toFixed(1),
    `${metrics.leastTextSize.toFixed(0)} px`,
    metrics.wordsPerSecond.toFixed(2),
    metrics.captionCharactersPerSecond.toFixed(1),
    `${quoted} of ${scenes}`,
    [...new Set(layouts)].join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
};
const soundOf = ({ pick, heard }: CheckedFilm): string[] =>
  heard
    ? [
        `Spoken by espeak-ng: ${pick.topic}. Peak level ${heard.peak.toFixed(1)} dBFS, mean level ${heard.mean.toFixed(1)} dBFS; each scene ends after its speech, and captions start within ${Math.ceil(heard.captionsOffMs)} ms of the words.`,
      ]
    : [];
const pictureOf = ({ pick: { picture, topic, emphasis } }: CheckedFilm): string[] =>
  picture ? [`${topic}, ${emphasis}, the last frame of each scene:`, `![Scenes of the film ${topic}](images/${picture}.png)`] : [];
const heads = [
  "film",
  "emphasis",
  "picture",
  "length",
  "frames drawn",
  "overflow px²",
  "overlap px²",
  "least contrast",
  "least text",
  "words/s",
  "caption characters/s",
  "scenes with a verified quote",
  "layouts",
];

/** docs/reports/films.md, from what the gallery measured, and what it lacks. */
export function galleryPage(films: readonly CheckedFilm[], wrong: readonly string[]): string {
  return `# Films of real courses

Written by \`npm run film:gallery -- --courses <folder> --write\` on ${new Date().toISOString().slice(0, 10)}: films of four courses, drawn up by the demonstration model or written by hand, made by a render worker and then checked. [Checks](../build/checks.md#films) says what is checked; [Benchmarks](benchmarks.md) says how long a film takes.

| ${heads.join(" | ")} |
|${"---|".repeat(heads.length)}
${films.map(rowOf).join("\n")}

${wrong.length > 0 ? `Not as chosen:\n\n${wrong.map((line) => `- ${line}`).join("\n")}\n\n` : ""}${films.flatMap(soundOf).join("\n")}

${films.flatMap(pictureOf).join("\n\n")}
`;
}
