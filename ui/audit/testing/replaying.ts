import type { AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import "../replay.ts";
import { recordOf } from "./record.ts";
import "./replaying-page.ts";

/** After the next frame was painted. */
const painted = () => new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)));

async function timed(draw: (record: AuditRecord) => void, entries: number): Promise<number> {
  document.body.replaceChildren();
  // As it comes from the service: parsing is part of opening.
  const text = JSON.stringify(recordOf(entries));
  await painted();
  const began = performance.now();
  draw(JSON.parse(text) as AuditRecord);
  return (await painted()) - began;
}

window.replaying = {
  replay: (entries) =>
    timed((record) => {
      const element = document.createElement("colloquy-audit-replay");
      element.className = "audit";
      Object.assign(element, { record });
      document.body.append(element);
    }, entries),
  everyRow: (entries) =>
    timed(({ moments }) => {
      const table = document.createElement("table");
      for (const { event, at, entry } of moments) {
        const row = table.insertRow();
        for (const text of [
          String(event),
          at,
          entry?.kind,
          entry?.itemId,
          String(entry?.correct),
          JSON.stringify(entry?.masteryAfter),
          entry?.hash,
        ])
          row.insertCell().textContent = text ?? "";
      }
      document.body.append(table);
    }, entries),
};
