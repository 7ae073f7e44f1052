/** What a record speaks of, by the reporter's own ids. */
export interface Subject {
  /** It says something of the run itself. */
  speaksOfRun: boolean;
  about: string;
  /** What that hangs below. */
  below?: string | undefined;
}
