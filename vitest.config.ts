import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const, exclude: ['**/node_modules/**'] };

/** Examples and fixtures import the package by its name: here that is the source. */
const own = (name: string) => [`davit/${name}`, new URL(`exports/${name}.ts`, import.meta.url).pathname];
const resolve = { alias: Object.fromEntries(['controller', 'testing', 'webhook'].map(own)) };

export default defineConfig({
  test: {
    projects: [
      // Pure and in-process tests: everything beside the code it proves.
      {
        resolve,
        test: {
          ...node,
          name: 'unit',
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: ['{lib,adapters,local,functions,infra,node-agent,scripts,examples}/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['**/node_modules/**', 'adapters/{dynamodb,eventbridge,sqs,scheduler}/**'],
        },
      },
      // The storage contract on every backend, with real processes that are killed and suspended.
      {
        test: {
          ...node,
          name: 'store',
          include: ['adapters/dynamodb/**/*.test.ts', 'test/storage/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // What the cloud's services do, on emulators.
      {
        test: {
          ...node,
          name: 'cloud',
          include: [
            'adapters/{eventbridge,sqs,scheduler}/**/*.test.ts',
            'test/{cloud,localstack}/**/*.test.ts',
            'test/integration/lambda/**/*.test.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // Real clients against a real server.
      {
        resolve,
        test: {
          ...node,
          name: 'clients',
          include: ['test/{e2e,integration}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/integration/lambda/**'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
