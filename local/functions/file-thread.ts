import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  type FunctionLimits,
  FunctionThread,
  type ThreadPorts,
} from '#adapters/server/function-thread/function-thread.ts';
import { type Logger, withFields } from '#lib/client/controller/logger.ts';
import type { ThreadSettings } from './settings.ts';

/** The settings that raise each limit. */
const SETTINGS = { timeout: '--function-timeout or functions.yaml', memory: '--function-memory or functions.yaml' };

/** A file and the ports of its thread. */
export interface FileThread {
  readonly file: string;
  readonly settings: ThreadSettings;
  readonly limits: FunctionLimits;
  readonly log: Logger;
  readonly handle: ThreadPorts['handle'];
}

/** Starts a thread that runs the file's functions. */
export function startFileThread({ file, settings, limits, log, handle }: FileThread): FunctionThread {
  const { memory = limits.memory, environment } = settings;
  return new FunctionThread({
    limits: { ...limits, memory },
    settings: SETTINGS,
    log: withFields(log, { file: basename(file) }),
    handle,
    start: () =>
      new Worker(new URL(import.meta.resolve('#local/functions/worker.ts')), {
        workerData: { file: pathToFileURL(file).href },
        env: { ...environment },
        resourceLimits: { maxOldGenerationSizeMb: memory },
      }),
  });
}
