import { type Api, createApi } from "../../api/client.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { type AccountStore, openAccountStore } from "../../store/account-store.ts";
import { Drafts } from "../../store/drafts.ts";
import { Library } from "../../store/library.ts";
import { PlayedService } from "../../workspace/testing/service.ts";
import { ConversationSession } from "../session.ts";

/** What a conversation's session stands on: a played service and an account's real store in this browser. */
export interface Stage {
  service: PlayedService;
  api: Api;
  store: AccountStore;
  drafts: Drafts;
  library: Library;
  open(id?: string, isNew?: boolean): ConversationSession;
  /** The same account and service in another tab of this browser. */
  otherTab(): Promise<Pick<Stage, "store" | "library" | "open"> & { close(): void }>;
  /** The types of the changes the service was told of. */
  types(): string[];
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  sessionStorage.clear();
  const accountId = `acc_${uuidv7()}`;
  const store = await openAccountStore(accountId);
  const drafts = await Drafts.open(store);
  const service = new PlayedService();
  const api = createApi(service.fetch);
  const library = await Library.open(api, store);
  await library.start();
  return {
    service,
    api,
    store,
    drafts,
    library,
    open: (id = uuidv7(), isNew = true) => new ConversationSession({ api, store, library, drafts }, { id, isNew }),
    async otherTab() {
      const store = await openAccountStore(accountId);
      const other = await Library.open(api, store);
      await other.start();
      const open: Stage["open"] = (id = uuidv7(), isNew = true) =>
        new ConversationSession({ api, store, library: other, drafts }, { id, isNew });
      const close = () => {
        other.stop();
        store.close();
      };
      return { store, library: other, open, close };
    },
    types: () => service.pushed.map((change) => change.type),
    async close() {
      library.stop();
      drafts.close();
      await store.remove();
    },
  };
}
