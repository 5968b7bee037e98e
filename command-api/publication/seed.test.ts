import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DemonstrationCourse, demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { courseKeys, readManifest } from "@colloquy/infra/object-store/course-objects.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import { createPublication, type Publication } from "./handlers.ts";
import { seedDemonstrationCourses } from "./seed.ts";
import { type TemporaryStores, temporaryStores } from "./stores.fixture.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });

describe("the demonstration courses", () => {
  let stores: TemporaryStores;
  let publication: Publication;
  let courses: DemonstrationCourse[];
  beforeEach(async () => {
    stores = await temporaryStores();
    publication = createPublication(stores);
    courses = await Promise.all(
      demonstrationCourses.map(async (course) => {
        const folder = join(stores.dataDir, "folders", course.courseId);
        await cp(course.folder, folder, { recursive: true });
        return { ...course, folder };
      }),
    );
  });
  afterEach(() => stores.close());
  const seed = () => seedDemonstrationCourses({ courses, publication, dataDir: stores.dataDir, log, signal: new AbortController().signal });
  const sequences = async () => Promise.all(courses.map(async ({ courseId }) => (await publication.live(courseId))?.sequence));
  const change = async (index: number): Promise<void> => {
    const file = join(courses[index]?.folder ?? "", "course.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace(/^title: .*$/m, "title: Another title"));
  };

  it("are published once with their origin", async () => {
    await seed();
    await seed();
    expect(await sequences()).to.deep.equal([1, 1]);
    expect((await publication.live("linear-maps"))?.origin).to.equal("object-store");
    expect((await publication.live("learning-to-learn"))?.origin).to.equal("compiled");
  });

  it("are published again when their objects are lost", async () => {
    await seed();
    await rm(join(stores.dataDir, "objects/courses"), { recursive: true });
    expect(await publication.isDamaged("linear-maps")).to.equal(true);
    await seed();
    expect(await sequences()).to.deep.equal([2, 2]);
    await rm(join(stores.dataDir, "objects/courses"), { recursive: true });
    await rm(join(stores.dataDir, "demonstration-courses.json"));
    await seed();
    expect(await sequences()).to.deep.equal([3, 3]);
    expect((await publication.readLive("linear-maps"))?.sequence).to.equal(3);
  });

  it("restore a lost page as the same revision with the same ids", async () => {
    await seed();
    const before = await publication.readLive("linear-maps");
    const { topics } = await readManifest(stores.objectStore, "linear-maps", before?.revisionId ?? "");
    await rm(join(stores.dataDir, "objects", courseKeys.unit("linear-maps", topics[0]?.unit ?? "")));
    expect([await publication.isDamaged("linear-maps"), await publication.readLive("linear-maps")]).to.deep.equal([true, null]);
    await seed();
    expect(await publication.isDamaged("linear-maps")).to.equal(false);
    expect(await publication.readLive("linear-maps")).to.deep.equal(before);
  });

  it("are not opened when nothing has changed", async () => {
    await seed();
    const opened: string[] = [];
    const watched: Publication = {
      ...publication,
      readRemains: (courseId) => {
        opened.push(courseId);
        return publication.readRemains(courseId);
      },
    };
    await seedDemonstrationCourses({
      courses,
      publication: watched,
      dataDir: stores.dataDir,
      log,
      signal: new AbortController().signal,
    });
    expect(opened).to.deep.equal([]);
  });

  it("follow their folders unless they were edited", async () => {
    await seed();
    await change(0);
    await change(1);
    await seed();
    expect(await sequences()).to.deep.equal([2, 2]);
    const live = await publication.readLive("linear-maps");
    if (!live) throw new Error("not published");
    const edited = { ...live.course, manifest: { ...live.course.manifest, title: "Mine" } };
    const request = { courseId: "linear-maps", course: edited, base: live, requestId: "request-mine", accountId: "acc_owner01" };
    await publication.publishCourse({ ...request, origin: "object-store", readAsset: () => Promise.resolve(null) });
    await writeFile(join(stores.dataDir, "demonstration-courses.json"), "{ broken");
    await seed();
    expect((await publication.readLive("linear-maps"))?.course.manifest.title).to.equal("Mine");
  });

  it("are published when the event store comes, however late", async () => {
    let left = 3;
    const late: Publication = {
      ...publication,
      live: (courseId) => (left-- > 0 ? Promise.reject(new StoreUnavailable("away")) : publication.live(courseId)),
    };
    await seedDemonstrationCourses({ courses, publication: late, dataDir: stores.dataDir, log, signal: new AbortController().signal });
    expect(await sequences()).to.deep.equal([1, 1]);
  });

  it("skip a broken course", async () => {
    await writeFile(join(courses[0]?.folder ?? "", "course.yaml"), "title: [");
    await seed();
    expect(await sequences()).to.deep.equal([undefined, 1]);
  });
});
