import type { Shown } from "./gallery.ts";

const rowOf = ({ pick, film, layouts, quoted, scenes }: Shown): string => {
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
const soundOf = ({ pick, heard }: Shown): string[] =>
  heard
    ? [
        `Spoken by espeak-ng: ${pick.topic}. Its loudest moment is at ${heard.peak.toFixed(1)} dB of full scale, speech at ${heard.mean.toFixed(1)} dB on the average; each scene is spoken within itself, and captions begin within ${Math.ceil(heard.captionsOffMs)} ms of the words.`,
      ]
    : [];
const pictureOf = ({ pick: { picture, topic, emphasis } }: Shown): string[] =>
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

/** docs/films.md, from what the gallery measured. */
export function galleryPage(films: readonly Shown[]): string {
  return `# Films of real courses

Written by \`npm run film:gallery -- --courses <folder> --write\`, last on ${new Date().toISOString().slice(0, 10)}. The command starts the whole program, imports the courses of the folder beside the demonstration courses, has each film drawn up by the demonstration model, approves it, waits for a worker, downloads what was made and looks at it: with \`ffprobe\` where it is installed (H.264 in 4:2:0, as long as was said to half a frame, a picture that can be sought at each scene, readable to its end); its table before its pictures; captions in order, within two lines of 42 signs; each quote in the course as it was published. It ends with 1 when anything is not so, or when a layout is in no film. The films and a contact sheet of each, three moments of every scene, are left in \`--out\`.

The folder holds the Software Carpentry lesson \`shell-novice\` (CC BY 4.0) and \`theorem-proving-in-lean\` (Apache-2.0), which are not part of the project; without \`--courses\` only the demonstration courses are filmed. \`checks/films/picks.ts\` names the films. How long a film takes to make stands in [benchmarks.md](benchmarks.md).

| ${heads.join(" | ")} |
|${"---|".repeat(heads.length)}
${films.map(rowOf).join("\n")}

${films.flatMap(soundOf).join("\n")}

${films.flatMap(pictureOf).join("\n\n")}
`;
}
