import { afterAll, describe } from 'vitest';
import type { Emulator } from '../cloud/emulator.ts';
import { needing } from './skip.ts';

/** A suite on a service that was started for it and is stopped after it. It needs that service. */
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
