/**
 * Steps of one validation: a branch of a junctor, a required name, a number of an enum, or a character of a long finding.
 * Without a limit a schema multiplies an object: 5,000 alternatives for each of 40,000 items take minutes.
 */
const MAX_STEPS = 500_000;
/** Steps of the programs of all patterns over all texts of an object: about a second. Upstream has no limit. */
const MAX_PATTERN_STEPS = 200_000_000;

/** The steps that are left for one validation. A validator has one, and resets it for each object. */
export class ValidationBudget {
  #left = MAX_STEPS;
  #patternSteps = MAX_PATTERN_STEPS;

  reset(): void {
    this.#left = MAX_STEPS;
    this.#patternSteps = MAX_PATTERN_STEPS;
  }

  /** Takes steps; true. Throws BudgetExceeded if too few are left. */
  spend(steps: number): true {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetExceeded(`must not need more than ${MAX_STEPS} steps of validation`);
    return true;
  }

  /** Takes steps of patterns. Throws BudgetExceeded if too few are left. */
  match(steps: number): void {
    this.#patternSteps -= steps;
    if (this.#patternSteps >= 0) return;
    throw new BudgetExceeded(`must not need more than ${MAX_PATTERN_STEPS} steps of patterns`);
  }
}

/** The validation of an object needs more steps than it may take. */
export class BudgetExceeded extends Error {}
