/** Steps that a cell has for itself, so that a dear column leaves plain ones alone. Cells beyond so many of a row have none. */
const OWN = 500;
const WITH_OWN = 200;

/** Steps beyond these that all cells of one request share. */
const SHARED = 200_000;

/** Characters of a cell's text that cost as much as one step. */
const CHARACTERS = 16;

/** Thrown where a cell takes more than its request has left. */
export class OverBudget extends Error {}

/**
 * Bounds the cost of users' columns in one request; a watch shares one over all of its events. A step is a value looked
 * at, 60 ns or so.
 */
export class CellBudget {
  #begun = 0;
  #own = 0;
  #shared = SHARED;

  beginRow(): void {
    this.#begun = 0;
  }

  beginCell(): void {
    this.#begun++;
    this.#own = this.#begun > WITH_OWN ? 0 : OWN;
  }

  /** Is told before the steps are taken. Throws OverBudget where nothing is left for them. */
  spend(steps: number): void {
    const beyond = Math.max(0, steps - this.#own);
    if (beyond > this.#shared) throw new OverBudget();
    this.#own = Math.max(0, this.#own - steps);
    this.#shared -= beyond;
  }

  spendText(characters: number): void {
    this.spend(Math.ceil(characters / CHARACTERS));
  }
}
