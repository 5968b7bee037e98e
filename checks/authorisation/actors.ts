/** Who asks in the table of docs/authorisation.md, in the order of its columns. */
export const actors = {
  visitor: "nobody is signed in",
  learner: "the learner whose things they are",
  other: "another learner",
  owner: "an owner of the courses",
  auditor: "an auditor",
  worker: "a worker's credential",
  foreign: "a page of another site, with the learner's cookie",
} as const;
export type Actor = keyof typeof actors;
export const actorNames = Object.keys(actors) as Actor[];

/** What each actor's requests carry. */
export type Credentials = Record<Actor, Record<string, string>>;

/** Signs the demonstration accounts in. `workerToken`: what the program was started with. */
export async function signInAll(url: string, workerToken: string): Promise<Credentials> {
  const cookie = async (as: string): Promise<string> => {
    const response = await fetch(`${url}/auth/demo?as=${as}&return=/`, { redirect: "manual" });
    const [set = ""] = response.headers.getSetCookie();
    if (!set) throw new Error(`signing in as ${as} answered ${response.status} without a cookie`);
    return set.split(";", 1)[0] ?? "";
  };
  const learner = { cookie: await cookie("learner") };
  return {
    visitor: {},
    learner,
    other: { cookie: await cookie("learner2") },
    owner: { cookie: await cookie("owner") },
    auditor: { cookie: await cookie("auditor") },
    worker: { authorization: `Bearer ${workerToken}` },
    foreign: { ...learner, origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
  };
}
