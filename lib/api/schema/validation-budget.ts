/**
 * The maximum number of steps of one validation. A step is a branch of a junctor, a required name, a number of an enum, or a character of a
 * long finding. Without a limit, a schema multiplies the cost of an object: 5,000 alternatives for each of 40,000 items take minutes.
 */
const MAX_STEPS = 500_000;
/** The maximum number of steps of all patterns on all texts of an object: about a second. Upstream has no limit. */
const MAX_PATTERN_STEPS = 200_000_000;

/** The remaining steps of one validation. A validator has one budget and resets it for each object. */
export class ValidationBudget {
  #left = MAX_STEPS;
  #patternSteps = MAX_PATTERN_STEPS;

  reset(): void {
    this.#left = MAX_STEPS;
    this.#patternSteps = MAX_PATTERN_STEPS;
  }

  /** Charges steps and returns true. Throws BudgetExceeded if too few remain. */
  spend(steps: number): true {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetExceeded(`must not need more than ${MAX_STEPS} steps of validation`);
    return true;
  }

  /** Charges steps of patterns. Throws BudgetExceeded if too few remain. */
  match(steps: number): void {
    this.#patternSteps -= steps;
    if (this.#patternSteps >= 0) return;
    throw new BudgetExceeded(`must not need more than ${MAX_PATTERN_STEPS} steps of patterns`);
  }
}

/** Thrown if the validation of an object exceeds its limit of steps. */
export class BudgetExceeded extends Error {}
