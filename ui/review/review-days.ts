import { nextDayOfCard } from "./queue.ts";
import { Reviewing } from "./reviewing.ts";

/**
 * How many cards are left for today, as far as this browser knows; null where it has never had any, or has not read yet what other devices
 * did with them. Asks nobody.
 */
export async function leftToday(needs: ConstructorParameters<typeof Reviewing>[0]): Promise<number | null> {
  const reviewing = new Reviewing(needs);
  try {
    await reviewing.openCached();
    return reviewing.queue?.left.length ?? null;
  } finally {
    reviewing.dispose();
  }
}

/**
 * In how many days review asks each of these cards next, by the account's real schedule: 0 is today. Those that are not in the queue are
 * left out. `after`: the position of the tutoring that brought them.
 */
export async function daysToReview(
  needs: ConstructorParameters<typeof Reviewing>[0],
  itemIds: readonly string[],
  after?: string,
): Promise<Map<string, number>> {
  const reviewing = new Reviewing(needs);
  try {
    await reviewing.refresh(after);
    if (!reviewing.cards) await reviewing.open();
    await reviewing.caughtUp();
    const { queue, newPerDay } = reviewing;
    if (!queue) return new Map();
    return new Map(
      itemIds.flatMap((itemId) => {
        const day = nextDayOfCard(queue, itemId, newPerDay);
        return day === null ? [] : [[itemId, day - queue.today] as const];
      }),
    );
  } finally {
    reviewing.dispose();
  }
}
