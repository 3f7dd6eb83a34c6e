import type { Logger } from './logger.ts';

/** The log lines and the state of the object that belong to one attempt. */
export interface Notes {
  readonly log: Logger;
  /** Which state of the object it goes by. */
  read(metadata: { readonly uid?: string; readonly resourceVersion?: string }): void;
}
