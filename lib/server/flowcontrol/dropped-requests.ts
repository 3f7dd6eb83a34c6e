/** Upstream's maximum Retry-After in seconds. */
const LONGEST = 32;

/**
 * The Retry-After for rejected requests, in seconds. It doubles after at least three rejections per second of its duration, and drops by
 * one second after fewer than one. Upstream's dropped requests tracker.
 */
export class DroppedRequests {
  #history: { readonly second: number; readonly dropped: number }[] = [];
  #second = 0;
  #dropped = 0;
  #advice = 1;
  #raised = 0;

  get retryAfter(): number {
    return this.#advice;
  }

  /** Records a rejection at a wall time in ms. */
  record(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#dropped++;
      return;
    }
    this.#history.push({ second: this.#second, dropped: this.#dropped });
    const kept = Math.min(2 * this.#advice, LONGEST);
    this.#history = this.#history.filter((one) => this.#second - one.second <= kept);
    this.#second = second;
    this.#dropped = 1;
    this.#adjust(second);
  }

  #adjust(now: number): void {
    const recent = this.#history.filter(({ second }) => second < now && now - second <= this.#advice);
    const dropped = recent.reduce((sum, one) => sum + one.dropped, 0);
    if (now - this.#raised >= this.#advice && dropped >= 3 * this.#advice) {
      this.#advice = Math.min(2 * this.#advice, LONGEST);
      this.#raised = now;
    } else if (dropped < this.#advice && this.#advice > 1) this.#advice--;
  }
}
