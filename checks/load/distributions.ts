/** Numbers from 0 (inclusive) to 1. */
export type Random = () => number;

/** The time between two arrivals of a Poisson process of `perMs` arrivals a millisecond. */
export const exponential = (random: Random, perMs: number): number => -Math.log(1 - random()) / perMs;

/** Log-normal, by its median and the standard deviation of its logarithm; never beyond `most` medians, so that no learner sits for ever. */
export function logNormal(random: Random, median: number, sigma: number, most = 8): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(median * Math.exp(sigma * normal), median * most);
}

/** A whole number from `least` to `most`, each as likely. */
export const uniformInteger = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
