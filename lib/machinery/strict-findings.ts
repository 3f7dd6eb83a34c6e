/** Upstream's limit on the errors of strict decoding. */
const MAX_FINDINGS = 100;
/** Characters of all that was found, the same again and again among it: a path of a megabyte could come thousands of times. */
const MAX_SHOWN = 256 * 1024;

/** The errors of strict decoding, each once, in the order they were found: `unknown field "spec.foo"`. */
export class StrictFindings {
  readonly #texts = new Set<string>();
  #shown = 0;

  /** Adds the text that `make` returns, unless there are enough. */
  add(make: () => string): void {
    if (this.#texts.size >= MAX_FINDINGS || this.#shown >= MAX_SHOWN) return;
    const text = make();
    this.#shown += text.length;
    this.#texts.add(text);
  }

  texts(): string[] {
    return [...this.#texts];
  }
}
