import type { Logger } from './logger.ts';

/** The log lines and the object state that belong to one attempt. */
export interface Notes {
  readonly log: Logger;
  /** Records the state of the object that the attempt is based on. */
  read(metadata: { readonly uid?: string; readonly resourceVersion?: string }): void;
}
