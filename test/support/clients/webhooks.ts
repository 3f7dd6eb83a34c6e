import type { Fetched } from './cache.ts';
import { pythonEnvironment } from './python-environment.ts';

/** A Python that has FastAPI. */
export const installFastApi = (): Promise<Fetched> => pythonEnvironment('fastapi==0.165.0', 'uvicorn==0.54.0');
