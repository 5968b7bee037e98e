interface Span {
  from: number;
  to: number;
}

/** Where a function is zero in a span: where it changes its sign or touches zero, in steps of so much. In order. Pure. */
export function rootsIn(at: (x: number) => number, { from, to }: Span, step: number): number[] {
  const roots: number[] = [];
  const add = (root: number): void => {
    if (roots.every((other) => Math.abs(other - root) > 1e-4)) roots.push(root);
  };
  // Where it does not come nearer to zero from both ends there is none between them.
  const aside = step / 1e5;
  for (let x = from; x < to; x += step) {
    let [low, high] = [x, x + step];
    if (at(low) === 0) add(low);
    if (at(low) * at(high) < 0) {
      for (let round = 0; round < 60; round += 1) {
        const middle = (low + high) / 2;
        if (at(low) * at(middle) <= 0) high = middle;
        else low = middle;
      }
      if (Math.abs(at(low)) < 1e-6) add(low);
    } else if ([x + aside, x + step - aside].every((inner, end) => Math.abs(at(inner)) < Math.abs(at(end === 0 ? x : x + step)))) {
      // A double root only touches zero: it lies where the middle is nearest.
      for (let round = 0; round < 40; round += 1) {
        const third = (high - low) / 3;
        if (Math.abs(at(low + third)) < Math.abs(at(high - third))) high -= third;
        else low += third;
      }
      if (Math.abs(at(low)) < 1e-12 && low > x + 1e-6 && high < x + step - 1e-6) add(low);
    }
  }
  return roots.toSorted((one, other) => one - other);
}
