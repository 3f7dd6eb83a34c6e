import type { Fetched } from './cache.ts';
import { pythonEnvironment } from './python-environment.ts';

const PACKAGE = 'kubernetes==36.0.3';

/** A Python that has the `kubernetes` package. */
export const installPython = (): Promise<Fetched> => pythonEnvironment(PACKAGE);

/** A Python that also has kopf. */
export const installKopf = (): Promise<Fetched> => pythonEnvironment('kopf==1.45.2', PACKAGE);
