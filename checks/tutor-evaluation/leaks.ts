import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";

/**
 * Places in a response's body that give away keys of questions not answered yet: anything that names a right choice beside the choices
 * themselves, or tells the explanation, the model answer or the rubric of such a question; and whatever is said of one not asked yet.
 * @param secret the questions whose key is not to be known, with whether they were asked
 */
export function leaksIn(body: string, secret: readonly { item: TutorItem; asked: boolean }[]): string[] {
  if (secret.length === 0 || body === "") return [];
  const bodies = body.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown]));
  const found: string[] = [];
  for (const { item, asked } of secret) {
    const named = new Set(asked ? item.right : [item.itemId, ...item.choices.map(({ choiceId }) => choiceId)]);
    const walk = (value: unknown, path: readonly string[]): void => {
      if (typeof value === "string") {
        // The choices of a card all stand in one list, whichever is right.
        const isChoice = asked && path.at(-1) === "choiceId" && path.at(-3) === "choices";
        if (named.has(value) && !isChoice) found.push(`${path.join(".")} of ${item.itemId}`);
        return;
      }
      if (typeof value !== "object" || value === null) return;
      if ("itemId" in value && value.itemId === item.itemId)
        for (const told of ["right", "correct", "explanation", "modelAnswer", "rubric"])
          if (told in value) found.push(`${[...path, told].join(".")} of ${item.itemId}`);
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
    };
    for (const one of bodies) walk(one, []);
  }
  return found;
}
