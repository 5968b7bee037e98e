import type { Folder } from "./folder.ts";

const licenses: [RegExp, string][] = [
  [/Apache License\s+Version 2\.0/, "Apache-2.0"],
  [/MIT License|Permission is hereby granted, free of charge/, "MIT"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/, "GPL-3.0"],
  [/Mozilla Public License Version 2\.0/i, "MPL-2.0"],
  [/Attribution-ShareAlike 4\.0 International/, "CC-BY-SA-4.0"],
  [/Attribution 4\.0 International/, "CC-BY-4.0"],
  [/CC0 1\.0 Universal/, "CC0-1.0"],
];

/** The licence by its well-known first words, from the files that usually hold it. */
export function licenseOf(folder: Folder): string | undefined {
  const files = [...folder.files].filter((file) => /^(?:LICEN[CS]E|COPYING)(?:[.-][\w-]+)?(?:\.(?:md|txt))?$/i.test(file)).sort();
  const names = files.map((file) => {
    const head = new TextDecoder().decode(folder.bytes(file).subarray(0, 2_000));
    return licenses.find(([words]) => words.test(head))?.[1];
  });
  return [...new Set(names.filter((name) => name !== undefined))].join(" OR ") || undefined;
}
