import type { Words } from "@colloquy/ui/messages/words.ts";
import type { BrowserContext, Page } from "playwright-core";
import type { Program } from "../../journeys/program.ts";
import type { Account } from "./accounts.ts";
import type { ProgramName } from "./programs.ts";

/** Where a scene is brought about: a browser of its own, signed in as the scene's account, at a running program. */
export interface Stage {
  page: Page;
  context: BrowserContext;
  program: Program;
  /** The session of the scene's account, for requests without the browser; empty for nobody. */
  cookie: string;
  account: Account | null;
  /** What the page says in its reader's language: what a control is called, whatever that is. */
  msg: Words["msg"];
  go(path: string): Promise<void>;
}

/** One state of one page. */
export interface Scene {
  page: string;
  state: string;
  /** The program it is brought about at; `everyday` unless it says so. */
  at?: ProgramName;
  /** Who is signed in; nobody unless it says so. Scenes that name the same account share what is its own. */
  as?: Account;
  /** Flaws that belong to it: a page that is not there is a failed request. */
  allows?: RegExp;
  /** It goes on moving while it is looked at, as an answer that is being written. */
  moving?: boolean;
  /** The picture ends with the window, as where a page never scrolls as a whole. */
  window?: boolean;
  /** Once, wide and in English, before it is shown anywhere: what takes long, and stays with the program. */
  prepare?(stage: Stage): Promise<void>;
  /** Brings a fresh page into the state. Comes again for each device. */
  show(stage: Stage): Promise<void>;
}

/** Something done once for all scenes that need it, the first time one of them asks. */
export function once<Result>(make: (stage: Stage) => Promise<Result>): (stage: Stage) => Promise<Result> {
  let made: Promise<Result> | undefined;
  return (stage) => {
    made ??= make(stage);
    return made;
  };
}
