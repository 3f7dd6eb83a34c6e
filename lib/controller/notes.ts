import type { Logger } from './logger.ts';

/** What a reconciler says during an attempt, so that it is found with it. */
export interface Notes {
  readonly log: Logger;
  /** Which state of the object it goes by. */
  read(metadata: { readonly uid?: string; readonly resourceVersion?: string }): void;
}
