import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FUNCTION_MODULES, moduleOf } from './lib/machinery/package-name.ts';
import { namespaces } from './test/root/namespaced-worker.ts';
import { LongestFirst } from './test/support/setup/longest-first.ts';

const node = {
  environment: 'node' as const,
  execArgv: ['--import', new URL('test/support/setup/end-with-run.ts', import.meta.url).href],
  exclude: ['**/node_modules/**'],
  /** Milliseconds: a minute more than the waits of `test/support/eventually.ts`. */
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** Examples and fixtures import the package by its name: here that is the source. */
const own = (name: string) => [moduleOf(name), new URL(`exports/${name}.ts`, import.meta.url).pathname];
const MODULES = [...FUNCTION_MODULES, 'testing'];
const resolve = { alias: Object.fromEntries(MODULES.map(own)) };

export default defineConfig({
  test: {
    // Many wait for timers and other programs more than they work.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/setup/temporary-folder.ts', 'test/support/setup/end-with-npm.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // Pure and in-process tests: everything beside the code it proves.
      {
        resolve,
        test: {
          ...node,
          name: 'unit',
          // What nearly all of them import is evaluated once for each worker.
          isolate: false,
          include: ['{lib,adapters,local,functions,infra,node-agent,scripts,examples,test/unit}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'adapters/aws/{dynamodb,eventbridge,sqs,scheduler}/**'],
        },
      },
      // The storage contract on every backend, with real processes that are killed and suspended.
      {
        test: {
          ...node,
          name: 'store',
          globalSetup: 'test/support/setup/dynamodb-local.ts',
          include: ['adapters/aws/dynamodb/**/*.test.ts', 'test/store/**/*.test.ts'],
        },
      },
      // What the cloud's services do, on emulators.
      {
        test: {
          ...node,
          name: 'cloud',
          globalSetup: ['test/support/setup/dynamodb-local.ts', 'test/support/setup/ministack.ts'],
          // Deployed stacks wait for queues and polls. A second file fills that time.
          maxWorkers: 2,
          // Not beside projects that take another number of workers.
          sequence: { groupOrder: 3 },
          include: ['adapters/aws/{eventbridge,sqs,scheduler}/**/*.test.ts', 'test/cloud/**/*.test.ts'],
        },
      },
      // Containers on this machine, in namespaces of their own: `npm run test:root`.
      {
        resolve,
        test: {
          ...node,
          name: 'root',
          env: { DAVIT_PRIVATE_MOUNTS: '1' },
          pool: namespaces,
          setupFiles: ['test/root/prepare.ts', 'test/root/show-logs.ts'],
          // They wait more than they work.
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 2 },
          // Beside the tests of containers those that mount: each has a mount namespace of its own.
          include: ['test/root/**/*.test.ts', 'adapters/node/host/volumes/{pod-volumes,subpath,volume-files}.test.ts'],
        },
      },
      // Real clients against a real server.
      {
        resolve,
        test: {
          ...node,
          name: 'clients',
          globalSetup: 'test/support/setup/bundle.ts',
          isolate: false,
          // Tests that may run at once only wait.
          maxConcurrency: 100,
          include: ['test/clients/**/*.test.ts'],
        },
      },
    ],
  },
});
