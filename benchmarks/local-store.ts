import type { Benchmark } from "./benchmark.ts";
import { opening } from "./local-store/opening.ts";
import { search } from "./local-store/search.ts";
import { service } from "./local-store/service.ts";

/** What a learner feels of the store in the browser and of sync, and how it grows. Typing has a benchmark of its own. */
export async function run(): Promise<Benchmark> {
  const rows = [...search(), ...(await opening()), ...(await service())];
  return { title: "The browser's store, the history's search and sync", baseline: "named in each row, in the same run", rows };
}
