/** What the benchmark of the replay asks of its page. Milliseconds from the service's text until the page was painted. */
export interface ReplayingPage {
  replay(entries: number): Promise<number>;
  /** The control: the same entries as a plain table with a row for each. */
  everyRow(entries: number): Promise<number>;
}

declare global {
  interface Window {
    replaying: ReplayingPage;
  }
}
