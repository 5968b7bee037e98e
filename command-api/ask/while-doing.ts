/** Yields what is told while work is being done, as it is told; gives back what the work came to, or fails as it does. */
export async function* whileDoing<Told, Result>(begin: (tell: (told: Told) => void) => Promise<Result>): AsyncGenerator<Told, Result> {
  const waiting: Told[] = [];
  let wake = (): void => {};
  let done = false;
  const work = begin((told) => {
    waiting.push(told);
    wake();
  });
  const end = (): void => {
    done = true;
    wake();
  };
  work.then(end, end);
  for (;;) {
    for (let told = waiting.shift(); told !== undefined; told = waiting.shift()) yield told;
    if (done) return await work;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
