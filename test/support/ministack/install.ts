import type { Fetched } from '#test/support/clients/cache.ts';
import { pythonEnvironment } from '#test/support/clients/python-environment.ts';

/** A Python that has ministack. */
export const installMinistack = (): Promise<Fetched> => pythonEnvironment('ministack==1.5.33');
