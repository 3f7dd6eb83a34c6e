/** Upstream's limit on the errors of strict decoding. */
const MAX_FINDINGS = 100;
/** The maximum total length of the findings in characters, including repeats: a path of a megabyte could occur thousands of times. */
const MAX_SHOWN = 256 * 1024;

/** The errors of strict decoding in the order found, without repeats: `unknown field "spec.foo"`. */
export class StrictFindings {
  readonly #texts = new Set<string>();
  #shown = 0;

  /** Adds the text that `make` returns, unless a limit is reached. */
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
