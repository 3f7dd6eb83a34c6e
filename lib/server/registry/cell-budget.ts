/**
 * Steps reserved for each cell, so that an expensive column does not starve cheap ones. Only the first `WITH_OWN` cells of a row have them.
 */
const OWN = 500;
const WITH_OWN = 200;

/** Steps that all cells of one request share after they have used up their own. */
const SHARED = 200_000;

/** The number of characters in a cell's text that cost one step. */
const CHARACTERS = 16;

/** Thrown if a cell needs more steps than its request has left. */
export class OverBudget extends Error {}

/**
 * Limits the cost of user-defined columns in one request. A watch shares one budget across all its events. A step visits one value and
 * takes about 60 ns.
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

  /** Called before the steps run. Throws OverBudget if too few steps remain. */
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
