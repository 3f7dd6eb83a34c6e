import type { Fetched } from '#test/clients/cache.ts';
import { pythonEnvironment } from '#test/clients/python-environment.ts';

/** A Python that has ministack. */
export const installMinistack = (): Promise<Fetched> => pythonEnvironment('ministack==1.5.33');
