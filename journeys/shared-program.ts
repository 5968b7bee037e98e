import { randomBytes } from "node:crypto";
import { demonstrationAccounts } from "@colloquy/infra/identity/accounts.ts";
import type { Page } from "playwright-core";
import { sessionCookie } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Environment variable by which the first process of a run passes the shared program to the others. */
const variable = "COLLOQUY_SHARED_PROGRAM";

/** A program that journeys share; they must not stop or configure it, or publish in it. */
export interface SharedProgram {
  url: string;
  /** A session cookie with the name and roles of a demonstration account, but an account of this journey only. */
  cookie(as: string): Promise<string>;
  /** Opens `path` as one of these accounts. */
  signIn(page: Page, path: string, as?: string): Promise<void>;
  /** Stops the program if this journey runs alone. */
  stop(): Promise<void>;
}

interface Shared {
  url: string;
  secret: string;
}

/** On an event store at its least convenient; journeys that start a program of their own run in its usual mode. */
const environment = (secret: string) => ({ DEMO_MODEL_WORD_MS: "2", SESSION_SECRET: secret, EVENTSTORE_EMBEDDED_STRICT: "on" });
const newSecret = (): string => randomBytes(32).toString("hex");
let started: Program | undefined;

/** Called by mocha once before all files, in the first process. */
export async function mochaGlobalSetup(): Promise<void> {
  const secret = newSecret();
  started = await startProgram(environment(secret));
  process.env[variable] = JSON.stringify({ url: started.url, secret } satisfies Shared);
}

/** Called by mocha once after all files. */
export async function mochaGlobalTeardown(): Promise<void> {
  await started?.stop();
}

/** The program shared by the journeys of this run, or a new one for a journey that runs alone. */
export async function sharedProgram(): Promise<SharedProgram> {
  const given = process.env[variable];
  const own = given ? null : { secret: newSecret() };
  const program = own ? await startProgram(environment(own.secret)) : null;
  const { url, secret }: Shared = given ? JSON.parse(given) : { url: program?.url, ...own };
  const suffix = randomBytes(6).toString("hex");
  // A new session each time, because an earlier one may have been signed out.
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
