/** Skips a test that cannot run on this machine and prints why; `npm test` lists these lines again at its end. */
export function skipTest(test: { skip(): never; test?: { fullTitle(): string } | undefined }, why: string): never {
  console.warn(`      !! DID NOT RUN (${why}): ${test.test?.fullTitle() ?? "a test"}`);
  return test.skip();
}
