/** For tests: skips one that cannot be tried here and says loudly why; `npm test` says it again at its end. */
export function skipTest(test: { skip(): never; test?: { fullTitle(): string } | undefined }, why: string): never {
  console.warn(`      !! DID NOT RUN (${why}): ${test.test?.fullTitle() ?? "a test"}`);
  return test.skip();
}
