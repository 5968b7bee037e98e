/** The browser's database and store of drafts: one draft for each course, under its id. */
export const draftsDatabase = { name: "colloquy-drafts", store: "drafts" } as const;
