import { bounds } from "@colloquy/schemas/bounds.ts";
import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import { id } from "@colloquy/schemas/payload.ts";

/** A course's id as given; a name that is too short is completed (`shell` becomes `shell-course`). Null for what can be none. */
export function completedId(given: string): string | null {
  const completed = given.length > 0 && given.length < bounds.idLength.min ? `${given}-course` : given;
  return id.safeParse(completed).success ? completed : null;
}

/** An id made of a course's title, that none of `taken` has. */
export function idFromTitle(title: string, taken: readonly string[] = []): string {
  const wanted = completedId(slugFrom(title)) ?? "some-course";
  let free = wanted;
  for (let number = 2; taken.includes(free); number += 1) free = `${wanted}-${number}`;
  return free;
}
