import type { Box } from "@colloquy/schemas/explainers/placed.ts";

interface Shape {
  /** Equal for equal forms, wherever and however large they are. */
  form: string;
  box: Box;
}

/** The form of a path, and where its points lie. Pure. */
export function shapeOf(d: string): Shape {
  const xs: number[] = [];
  const ys: number[] = [];
  const steps = [...d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)].map(([, sign = "", list = ""]) => ({
    sign,
    numbers: (list.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/gi) ?? []).map(Number),
  }));
  let isPlain = true;
  for (const { sign, numbers } of steps)
    if (sign === "H") xs.push(...numbers);
    else if (sign === "V") ys.push(...numbers);
    else if (/[MLQCT]/.test(sign)) for (const [index, value] of numbers.entries()) (index % 2 === 0 ? xs : ys).push(value);
    else if (sign !== "Z") isPlain = false;
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  // Arcs have numbers that are no places.
  if (!isPlain || xs.length === 0 || ys.length === 0) return { form: d, box: { x: 0, y: 0, width: 1, height: 1 } };
  const size = Math.max(box.width, box.height) || 1;
  const at = (value: number, from: number): number => Math.round(((value - from) / size) * 100);
  const form = steps.map(({ sign, numbers }) => {
    const isDown = (index: number): boolean => (sign === "V" ? true : sign === "H" ? false : index % 2 === 1);
    return sign + numbers.map((value, index) => at(value, isDown(index) ? y : x)).join();
  });
  return { form: form.join(""), box };
}
