/** `ui/dist/manifest.json`: what the build of the pages made, for the service that sends them. Files are named relative to `ui/dist`. */
export interface BuiltUi {
  /** Changes whenever any source does; part of every page's ETag. */
  version: string;
  /** Scripts by page, with what they import from the start and what they ask for as soon as they run (both worth preloading). */
  scripts: Record<string, { file: string; imports: string[]; soon?: string[] }>;
  sheets: Record<string, string>;
  /** The messages of languages beside English, by language and extent: each file with what it imports. */
  messages: Record<string, Record<string, string[]>>;
  /** Font files every page needs first. */
  preloadFonts: string[];
  /** The browser's own worker and the files it keeps, so that the workspace opens offline. Absent where that is turned off. */
  offline?: { worker: string; files: string[] };
  /** Every file, in bytes: as it is, and compressed. */
  files: Record<string, { bytes: number; gzip: number; brotli: number }>;
}
