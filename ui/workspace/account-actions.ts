import type { SignOutChoice } from "../accounts/confirm-sign-out.ts";
import { rememberErasure } from "../accounts/erasure-note.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import type { MenuCount, MenuItem } from "../controls/menu.ts";
import { msg } from "../messages/page.ts";
import { pendingDeletion } from "./pending-deletion.ts";
import type { Sessions } from "./sessions.ts";

interface Host {
  api: Api;
  signedIn: SignedIn;
  sessions: Sessions;
  signal: AbortSignal;
  say(words: string): void;
  /** Opens another page of the shell. */
  open(href: string): void;
  /** Leaves for a page outside the shell. */
  leaveFor(href: string): void;
  /** Where dialogs are appended. */
  place(): HTMLElement;
}

/** Downloads all data of the account. */
function saveEverything(): void {
  Object.assign(document.createElement("a"), { href: "/api/account/archive", download: "" }).click();
}

/** The account's actions: settings, export, deletion, sign-out. */
export class AccountActions {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.#offerTour();
    // An interrupted deletion continues without asking again.
    if (pendingDeletion(host.signedIn.account.accountId)) void this.#delete();
  }

  /** The account's menu; "Review" shows how many cards are left today. */
  menu(): MenuItem[] {
    const { signedIn, open, leaveFor } = this.#host;
    const items: (MenuItem | false)[] = [
      { words: msg("workspace.settings"), act: () => open("/settings") },
      { words: msg("common.review"), count: this.#countReview(), act: () => open("/review") },
      { words: msg("common.courses"), act: () => leaveFor("/courses") },
      { words: msg("workspace.takeTour"), act: () => void this.#showAround() },
      signedIn.account.roles.includes("auditor") && { words: msg("workspace.audit"), act: () => open("/audit") },
      { words: msg("workspace.downloadAllData"), act: saveEverything },
      { words: msg("workspace.deleteAllMyData"), act: () => void this.#delete() },
      { words: msg("page.signOut"), act: () => void this.#confirmSignOut() },
    ];
    return items.filter((item) => item !== false);
  }

  /** Offers the tour to new learners, once it is known that they are new. */
  #offerTour(): void {
    const { sessions, signal, place } = this.#host;
    let offered = false;
    const look = async (): Promise<void> => {
      if (offered || signal.aborted || !sessions.library.loaded) return;
      offered = true;
      if (sessions.history.length > 0 || sessions.preferences.choices.tour !== undefined) return;
      // If the tour does not load, it is not offered.
      const loaded = await import("./tour/offer.ts").catch(() => null);
      if (loaded?.isNew(sessions) && !signal.aborted) loaded.offerTour(place(), sessions);
    };
    sessions.events.on("change", () => void look());
    void look();
  }

  async #showAround(): Promise<void> {
    const { say, place } = this.#host;
    const loaded = await import("./tour/tour.ts").catch(() => null);
    if (loaded) await loaded.showTour(place());
    else say(msg("workspace.didLoadTryAgain"));
  }

  /** Null if nothing is left for today, or if that is unknown. */
  async #countReview(): Promise<MenuCount | null> {
    const { api, sessions } = this.#host;
    try {
      const { leftToday } = await import("../review/review-days.ts");
      const left = await leftToday({ api, store: sessions.store, library: sessions.library });
      return left ? { number: left, label: msg("workspace.reviewCardsForToday", { n: left }) } : null;
    } catch {
      return null;
    }
  }

  /** Asks first if signing out would delete unsaved work. */
  async #confirmSignOut(): Promise<void> {
    const { api, signedIn, place, say } = this.#host;
    const loaded = await import("../accounts/sign-out-of-shell.ts").catch(() => null);
    if (!loaded) return say(msg("workspace.didLoadTryAgain"));
    const choice = await loaded.maySignOut(api, signedIn, place());
    if (choice) await this.#signOut(choice);
  }

  async #delete(): Promise<void> {
    const { api, signedIn, say } = this.#host;
    const loaded = await import("./delete-everything.ts").catch(() => null);
    if (!loaded) return say(msg("workspace.didLoadTryAgain"));
    if (!(await loaded.deleteEverything(api, signedIn.account.accountId))) return;
    rememberErasure();
    await this.#signOut();
  }

  async #signOut(choice: SignOutChoice = { keepAssistants: false }): Promise<void> {
    const { api, signedIn, leaveFor, say } = this.#host;
    try {
      const { signOutOfShell } = await import("../accounts/sign-out-of-shell.ts");
      leaveFor(await signOutOfShell(api, signedIn, choice));
    } catch {
      say(msg("workspace.signingOutDidWork"));
    }
  }
}
