/** A path as points at equal distances, a list for each of its lines. */
export type Polyline = readonly (readonly { x: number; y: number }[])[];

/** The most points of a path. */
const most = 2_000;

/** The points of a path. @param step the distance of two, where that does not make too many */
export function polylineOf(d: string, step: number): Polyline {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", d);
  const length = path.getTotalLength();
  const apart = Math.max(step, length / most);
  const lines: { x: number; y: number }[][] = [];
  let before: { x: number; y: number } | null = null;
  for (let at = 0; at < length + apart; at += apart) {
    const { x, y } = path.getPointAtLength(Math.min(at, length));
    // Where a path is lifted, its next line begins.
    if (!before || Math.hypot(x - before.x, y - before.y) > apart * 1.5) lines.push([]);
    before = { x, y };
    lines.at(-1)?.push(before);
  }
  return lines;
}

/** The first share of a line, drawn where `place` brings its points. */
export function firstShare(lines: Polyline, share: number, place: (point: { x: number; y: number }) => { x: number; y: number }): Path2D {
  const path = new Path2D();
  let left = Math.ceil(lines.reduce((sum, line) => sum + line.length, 0) * share);
  for (const line of lines) {
    for (const [index, point] of line.slice(0, Math.max(0, left)).entries()) {
      const { x, y } = place(point);
      if (index === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    left -= line.length;
  }
  return path;
}
