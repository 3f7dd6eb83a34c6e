import { afterAll, describe } from 'vitest';
import type { Emulator } from './cloud/emulator.ts';

/** A suite on a service that was started for it and is stopped after it. Where that cannot be had, its tests skip and the reason is printed. */
export function describeOn(
  started: Emulator | { readonly missing: string },
  title: string,
  tests: (endpoint: string) => void,
): void {
  if ('missing' in started) {
    console.warn(`${title}: its tests skip: ${started.missing}`);
    describe.skip(title, () => tests(''));
    return;
  }
  describe(title, () => {
    afterAll(() => started.stop());
    tests(started.endpoint);
  });
}
