import { randomBytes } from "node:crypto";
import { demonstrationAccounts } from "@colloquy/infra/identity/accounts.ts";
import type { Page } from "playwright-core";
import { sessionCookie } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Where the first process of a run tells the others which program they share. */
const variable = "COLLOQUY_SHARED_PROGRAM";

/** A program that journeys share: nothing in it may be stopped, configured or published. */
export interface SharedProgram {
  url: string;
  /** A cookie of a demonstration account that only this journey uses: the same name and roles, another account. */
  cookie(as: string): Promise<string>;
  /** Opens `path` as one of these accounts. */
  signIn(page: Page, path: string, as?: string): Promise<void>;
  /** Ends the program where this journey runs alone. */
  stop(): Promise<void>;
}

interface Shared {
  url: string;
  secret: string;
}

const environment = (secret: string) => ({ DEMO_MODEL_WORD_MS: "2", SESSION_SECRET: secret });
const newSecret = (): string => randomBytes(32).toString("hex");
let started: Program | undefined;

/** Called by mocha once before all files, in the process that starts the others. */
export async function mochaGlobalSetup(): Promise<void> {
  const secret = newSecret();
  started = await startProgram(environment(secret));
  process.env[variable] = JSON.stringify({ url: started.url, secret } satisfies Shared);
}

/** Called by mocha once after all files. */
export async function mochaGlobalTeardown(): Promise<void> {
  await started?.stop();
}

/** The program that the journeys of this run share, or one of its own for a journey that runs alone. */
export async function sharedProgram(): Promise<SharedProgram> {
  const given = process.env[variable];
  const own = given ? null : { secret: newSecret() };
  const program = own ? await startProgram(environment(own.secret)) : null;
  const { url, secret }: Shared = given ? JSON.parse(given) : { url: program?.url, ...own };
  const suffix = randomBytes(6).toString("hex");
  // Signed anew each time: a session that was signed out is over, but its account goes on.
  const cookie = async (as: string): Promise<string> => {
    const person = demonstrationAccounts.find(({ key }) => key === as);
    if (!person) throw new Error(`there is no demonstration account ${as}`);
    return sessionCookie(url, secret, { accountId: `acc_${as}_${suffix}`, name: person.name, roles: person.roles });
  };
  return {
    url,
    cookie,
    async signIn(page, path, as = "learner") {
      const [name = "", value = ""] = (await cookie(as)).split(/=(.*)/s);
      await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
      await page.goto(url + path);
    },
    async stop() {
      await program?.stop();
    },
  };
}
