import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";

/** A film of the gallery. */
export interface FilmChoice {
  courseId: string;
  /** The topic's title. */
  topic: string;
  emphasis: Emphasis;
  settings: RenderSettings;
  /** Under which name its contact sheet is shown in docs/reports/films.md. */
  picture?: string;
}

/** Courses that nobody on this project wrote, by the folder they lie in. */
export const importedCourses: Readonly<Record<string, string>> = {
  "shell-novice": "shell-novice",
  "theorem-proving": "theorem-proving-in-lean",
};

const wide = defaultSettings;
const tall = { ...defaultSettings, aspect: "9:16" } as const;
const dark = { ...defaultSettings, theme: "dark" } as const;
const pick = (courseId: string, topic: string, emphasis: Emphasis, settings: RenderSettings, picture?: string): FilmChoice => ({
  courseId,
  topic,
  emphasis,
  settings,
  ...(picture && { picture }),
});

/** Each emphasis, each layout, both aspects and themes, over all courses. */
export const filmChoices: readonly FilmChoice[] = [
  pick("shell-novice", "Pipes and Filters", "intuition", wide),
  pick("shell-novice", "Pipes and Filters", "exam-recap", dark),
  pick("shell-novice", "Navigating Files and Directories", "intuition", tall),
  pick("shell-novice", "Working With Files and Directories", "worked-example", dark),
  pick("shell-novice", "Finding Things", "worked-example", tall),
  pick("theorem-proving", "Interacting with Lean", "common-mistakes", wide, "film-mistakes"),
  pick("theorem-proving", "Tactics", "intuition", dark),
  pick("theorem-proving", "Interacting with Lean", "worked-example", tall),
  // Written by hand.
  pick("linear-maps", "Linear maps and their matrices", "intuition", wide),
  pick("linear-maps", "Eigenvectors are directions that stay", "worked-example", wide, "film-handmade"),
  pick("learning-to-learn", "What memory does with what you read", "intuition", tall),
  pick("learning-to-learn", "Spread it out and mix it up", "intuition", dark),
  pick("learning-to-learn", "Recall beats rereading", "intuition", wide),
  pick("linear-maps", "Linear maps and their matrices", "exam-recap", { ...dark, height: 1080 }, "film-linear-maps"),
  pick("linear-maps", "One map after another", "worked-example", tall, "film-upright"),
  pick("linear-maps", "One map after another", "exam-recap", { ...wide, voice: "spoken" }),
];
