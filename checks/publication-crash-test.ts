import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { publicationKills } from "./publication/kills.ts";
import { publicationRaces } from "./publication/races.ts";

/**
 * `npm run crash-test:publication -- [--rounds 200] [--races 200] [--seed N]`: publishes while the server is killed at every step and its
 * stores fail, and while two machines publish at once (`publication/`). Nothing is lost, doubled or torn.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    races: { type: "string", default: "200" },
    seed: { type: "string", default: String(randomInt(2 ** 32)) },
  },
});
const [rounds, races, seed] = [Number(values.rounds), Number(values.races), Number(values.seed)];
if (![rounds, races, seed].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error("--rounds, --races and --seed take whole numbers.");
  process.exit(2);
}
console.log(`crash test of publication: --rounds ${rounds} --races ${races} --seed ${seed}`);
const outcomes: boolean[] = [];
if (rounds > 0) outcomes.push(await publicationKills({ rounds, seed }));
if (races > 0) outcomes.push(await publicationRaces({ rounds: races }));
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
