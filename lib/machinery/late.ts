/** A value that others are given before it is there: who answers behind a port that is named first. */
export class Late<T> {
  #given: { readonly value: T } | undefined;

  /** Whether it is there. */
  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  /** Undefined before it is given. */
  get value(): T | undefined {
    return this.#given?.value;
  }

  /** Throws TypeError the second time. */
  give(value: T): void {
    if (this.#given !== undefined) throw new TypeError('the value was given before');
    this.#given = { value };
  }

  /** Throws TypeError before it is given. */
  take(): T {
    if (this.#given === undefined) throw new TypeError('the value is not given yet');
    return this.#given.value;
  }
}
