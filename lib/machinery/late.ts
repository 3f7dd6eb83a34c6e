/** A reference to a value that is set later, such as a server that is created after its port is known. */
export class Late<T> {
  #given: { readonly value: T } | undefined;

  /** Whether the value is set. */
  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  /** The value; undefined before it is set. */
  get value(): T | undefined {
    return this.#given?.value;
  }

  /** Sets the value. Throws TypeError if it is already set. */
  give(value: T): void {
    if (this.#given !== undefined) throw new TypeError('the value was given before');
    this.#given = { value };
  }

  /** Returns the value. Throws TypeError before it is set. */
  take(): T {
    if (this.#given === undefined) throw new TypeError('the value is not given yet');
    return this.#given.value;
  }
}
