import { expect } from "chai";
import { randomOf } from "../random.ts";
import { exponential, logNormal } from "./distributions.ts";
import { think } from "./goals.ts";
import { lengthOf, planRunningSession, planSession, sessionLengths } from "./plan.ts";

const words = [700, 600, 500];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the plan of a load", () => {
  it("draws think times and arrivals from the stated distributions", () => {
    const random = randomOf(1, "draws");
    const drawn = Array.from({ length: 20_000 }, () => logNormal(random, 10_000, think.sigma)).toSorted((a, b) => a - b);
    expect(drawn[10_000]).to.be.closeTo(10_000, 200);
    expect(mean(drawn)).to.be.closeTo(10_000 * Math.exp(think.sigma ** 2 / 2), 300);
    expect(mean(Array.from({ length: 20_000 }, () => exponential(random, 0.01)))).to.be.closeTo(100, 3);
  });

  it("plans sessions in which a tutor is answered only after it was opened", () => {
    const random = randomOf(2, "plans");
    for (let index = 0; index < 500; index += 1) {
      const acts = planSession(random, words).map(({ act }) => act);
      expect(acts.filter((act) => act === "page").length).to.be.within(3, 6);
      expect(acts.filter((act) => act === "ask").length).to.be.within(1, 2);
      expect(acts.at(-1)).to.equal("leave");
      expect(acts.indexOf("score")).to.equal(acts.indexOf("quiz") + 1);
      expect(acts.filter((act) => act === "tutor").length).to.be.oneOf([0, 3, 4, 5]);
    }
  });

  it("starts with sessions as an observer meets them, half over on average", () => {
    const random = randomOf(3, "rests");
    const { mean: whole, longest } = sessionLengths(randomOf(3, "lengths"), words);
    const squares = Array.from({ length: 4_000 }, () => lengthOf(planSession(random, words)) ** 2);
    const left = Array.from({ length: 4_000 }, () => lengthOf(planRunningSession(random, words, longest)));
    // The mean residual life of a renewal process.
    const expected = mean(squares) / (2 * whole);
    expect(mean(left) / expected).to.be.closeTo(1, 0.05);
  });

  it("opens what a running session has open", () => {
    const random = randomOf(4, "open");
    const { longest } = sessionLengths(random, words);
    for (let index = 0; index < 500; index += 1) {
      const steps = planRunningSession(random, words, longest);
      const at = steps.findIndex(({ act }) => act === "score");
      if (at >= 0) expect(steps.slice(0, at).some(({ act }) => act === "quiz")).to.equal(true);
      const [first] = steps;
      if (first?.act === "ask") expect(first.thinkMs).to.be.greaterThan(0);
    }
  });
});
