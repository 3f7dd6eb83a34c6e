/** Thrown where a value needs a conversion that is under way: begin again when `ready` is settled. */
export class ConversionPending extends Error {
  readonly ready: Promise<void>;

  constructor(ready: Promise<void>) {
    super('a conversion is under way');
    this.name = 'ConversionPending';
    this.ready = ready;
  }
}

/** A merge compares two states in as many versions as managers wrote in; far fewer than this. */
const MAX_CONVERSIONS = 100;

/** The value of `make` once all conversions that it needs are done. `make` runs again after each. */
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
