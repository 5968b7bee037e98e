import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";
import { workspaceEntity } from "@colloquy/schemas/sync/entities.ts";
import { Emitter } from "./emitter.ts";
import type { Library } from "./library.ts";

/** The account's preferences for the workspace, on all devices. */
export class Preferences {
  readonly events = new Emitter<{ change: undefined }>();
  readonly #library: Library;

  constructor(library: Library) {
    this.#library = library;
    library.events.on("personal", ({ domains }) => domains.has("preferences") && this.events.emit("change"));
  }

  /** Ids of models that the picker hides. All others are listed, so new models appear. Routing ignores this. */
  get hiddenModels(): ReadonlySet<string> {
    return new Set(this.#library.replica.personal("preferences", workspaceEntity)?.hiddenModels);
  }

  /** Theme, text size, motion and language; absent: not chosen. */
  get choices(): PreferenceChoices {
    return this.#library.replica.personal("preferences", workspaceEntity)?.choices ?? {};
  }

  async choose(choices: PreferenceChoices): Promise<void> {
    await this.#library.commitPersonal([{ domain: "preferences", entityId: workspaceEntity, type: "chosen", data: choices }]);
  }

  async hideModel(modelId: string, hidden: boolean): Promise<void> {
    const type = hidden ? "model_hidden" : "model_shown";
    await this.#library.commitPersonal([{ domain: "preferences", entityId: workspaceEntity, type, data: { modelId } }]);
  }
}
