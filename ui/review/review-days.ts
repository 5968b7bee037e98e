import { nextDayOfCard } from "./queue.ts";
import { Reviewing } from "./reviewing.ts";

/**
 * The number of cards left today from the browser's store, without a request; null if it has no cards or has never read the other
 * devices' ratings.
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
 * Days until each card's next review by the account's schedule: 0 is today. Cards outside the queue are left out. `after`: the position of
 * the tutoring that created them.
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
