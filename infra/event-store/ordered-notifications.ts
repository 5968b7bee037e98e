import type { Readable } from "node:stream";

/**
 * Puts notifications of a stream (caught up, checkpoint) in the order of its events. The official client delivers them on arrival, while
 * earlier events may still be in its buffer; a checkpoint stored then would skip those events.
 */
export interface OrderedNotifications {
  /** Runs `news` once every event that arrived before it has been handled. */
  add(news: () => void): void;
  /** The reader took an event. */
  received(): void;
  /** The reader has handled what it took. */
  waiting(): void;
}

export function orderNotifications(stream: Pick<Readable, "push">): OrderedNotifications {
  const marks: { after: number; news: () => void }[] = [];
  let arrived = 0;
  let taken = 0;
  let done = 0;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk !== null) arrived += 1;
    return push(chunk, encoding);
  };
  const settle = (): void => {
    for (let first = marks[0]; first && first.after <= done; first = marks[0]) {
      marks.shift();
      first.news();
    }
  };
  return {
    add(news) {
      marks.push({ after: arrived, news });
      settle();
    },
    received() {
      taken += 1;
    },
    waiting() {
      done = taken;
      settle();
    },
  };
}
