/** Thrown if a value needs a conversion that is still running. The caller retries after `ready` settles. */
export class ConversionPending extends Error {
  readonly ready: Promise<void>;

  constructor(ready: Promise<void>) {
    super('a conversion is under way');
    this.name = 'ConversionPending';
    this.ready = ready;
  }
}

/** The maximum number of conversions. A merge compares two states in every version that a manager used, which needs far fewer. */
const MAX_CONVERSIONS = 100;

/** Returns the result of `make` after all conversions that it needs. Calls `make` again after each conversion. */
export async function awaitingConversions<T>(make: () => T | Promise<T>): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof ConversionPending) || i === MAX_CONVERSIONS) throw error;
      await error.ready;
    }
  }
}
