import type { Forecast } from "@colloquy/schemas/reminders/requests.ts";
import { ownZone } from "@colloquy/schemas/review/learning-clock.ts";
import { pageLanguage } from "../messages/page.ts";
import type { Queue } from "./queue.ts";
import { Reviewing } from "./reviewing.ts";

/** The cards that wait today and on the coming days while nothing is reviewed. */
export function cardsLeft({ counts, forecast }: Pick<Queue, "counts" | "forecast">, newPerDay: number): number[] {
  let due = counts.again + counts.due;
  const fresh = Math.min(newPerDay, counts.fresh + forecast.reduce((sum, day) => sum + day.fresh, 0));
  const coming = forecast.map((day) => {
    due += day.due;
    return due + fresh;
  });
  return [counts.again + counts.due + counts.fresh, ...coming];
}

/** What the service needs to remind of reviews; null until the cards are known. */
export function forecastOf({ queue, newPerDay }: Pick<Reviewing, "queue" | "newPerDay">): Forecast | null {
  return queue && { zone: ownZone(), language: pageLanguage(), day: queue.today, left: cardsLeft(queue, newPerDay) };
}

/** As `forecastOf`, where no reviews are open. */
export async function readForecast(needs: ConstructorParameters<typeof Reviewing>[0]): Promise<Forecast | null> {
  const reviewing = new Reviewing(needs);
  try {
    await reviewing.open();
    await reviewing.caughtUp();
    return forecastOf(reviewing);
  } finally {
    reviewing.dispose();
  }
}
