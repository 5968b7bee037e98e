/** Yields progress events while `work` runs, then returns its result. */
export async function* streamProgress<Progress, Result>(
  work: (emit: (progress: Progress) => void) => Promise<Result>,
): AsyncGenerator<Progress, Result> {
  const queue: Progress[] = [];
  let wake = (): void => {};
  let isDone = false;
  const result = work((progress) => {
    queue.push(progress);
    wake();
  });
  const end = (): void => {
    isDone = true;
    wake();
  };
  result.then(end, end);
  for (;;) {
    for (let progress = queue.shift(); progress !== undefined; progress = queue.shift()) yield progress;
    if (isDone) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
