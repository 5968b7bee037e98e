/** Notes that the program makes for itself in the event store. Nobody follows them, so they are not copied anywhere. */
const bookkeepingPrefix = "sweep-";

/** How far the sweep of deleted conversations has looked; holds one event. */
export const sweepStream = `${bookkeepingPrefix}deleted-conversations`;

export const isBookkeeping = (stream: string): boolean => stream.startsWith(bookkeepingPrefix);
