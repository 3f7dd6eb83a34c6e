import { Turns } from './turns.ts';

/** Milliseconds that a request may work before it lets others through. */
const LENGTH = 5;

/** Requests that have worked for so long go on one in each turn of the event loop, and what came meanwhile goes first. */
const turns = new Turns(1);

/** What a request does without a pause. */
export class Stretch {
  #began = performance.now();

  /** Ends the stretch and begins the next: at once if it was short. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < LENGTH) return;
    await turns.next();
    this.#began = performance.now();
  }
}
