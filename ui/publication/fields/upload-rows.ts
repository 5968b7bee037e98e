import { html, nothing } from "lit";
import { msg } from "../../messages/page.ts";
import type { Uploads } from "./uploads.ts";

/** What is on its way into a block, how far it has come, and what failed. */
export function uploadRows(uploads: Uploads | null, blockId: string) {
  const own = uploads?.list.filter((upload) => upload.blockId === blockId) ?? [];
  if (!uploads || !own.length) return nothing;
  return html`<ul class="uploads" aria-label=${msg("editor.picturesOnTheirWay")}>${own.map(({ id, name, progress, problem }) =>
    problem === null
      ? html`<li><span>${msg("editor.sending", { name })}</span><progress max="1" .value=${progress} aria-label=${msg("editor.sending", { name })}></progress>
          <button type="button" @click=${() => uploads.dismiss(id)}>${msg("common.stop")}</button></li>`
      : html`<li><span class="failed" role="alert">${problem}</span><button type="button" @click=${() => uploads.retry(id)}>${msg("common.tryAgain")}</button>
          <button type="button" @click=${() => uploads.dismiss(id)}>${msg("editor.dismiss")}</button></li>`,
  )}</ul>`;
}
