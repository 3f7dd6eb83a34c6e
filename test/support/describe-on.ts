import { afterAll, describe } from 'vitest';
import type { Emulator } from '../cloud/emulator.ts';
import { needing } from './skip.ts';

/** Declares a suite that uses a started service, and stops the service afterwards. Skips the suite if the service is missing. */
export function describeOn(
  started: Emulator | { readonly missing: string },
  title: string,
  tests: (endpoint: string) => void,
): void {
  describe(title, needing(started), () => {
    afterAll(() => ('stop' in started ? started.stop() : undefined));
    tests('endpoint' in started ? started.endpoint : '');
  });
}
