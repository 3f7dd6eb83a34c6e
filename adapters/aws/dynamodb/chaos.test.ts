import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaos } from '#test/store/chaos.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { type SigningProxy, startSigningProxy } from '#test/support/dynamodb-local/signing-proxy.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';

/** `npm run test:full` injects faults for longer. */
const SECONDS = process.env['DAVIT_FULL'] === undefined ? 15 : 120;
/** Production uses 60 seconds, 5 minutes and an hour. A signature's date has a resolution of one second. */
const PROOF_AGE = 1_000;
const WINDOW = 3_000;
const RETENTION = 5_000;

describeOn(await startDynamoDbLocal(), 'several processes on one DynamoDB table', (endpoint) => {
  let directory: string;
  let proxy: SigningProxy;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'davit-dynamodb-'));
    (await localTable(endpoint, 'chaos')).close();
    proxy = await startSigningProxy(endpoint, WINDOW);
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await proxy.close();
  });

  test(
    'processes agree on one log despite kills, suspensions across compactions and injected faults',
    async () => {
      const seed = Date.now() % 1_000_000;
      const report = await chaos({
        url: `${proxy.endpoint.replace('http', 'dynamodb')}/chaos?retention=${RETENTION}&proofAge=${PROOF_AGE}`,
        directory,
        seed,
        milliseconds: SECONDS * 1_000,
        versions: 100,
        writers: 3,
        watchers: 2,
        suspension: 2 * RETENTION,
      });
      console.info(`seed ${seed}: ${JSON.stringify({ ...report, violations: report.violations.length })}`);
      expect(report.violations.slice(0, 5)).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(10);
      expect(report.killed).toBeGreaterThan(0);
      expect(report.suspended).toBeGreaterThan(0);
      expect(report.fresh).toBeGreaterThan(0);
    },
    SECONDS * 1_000 + 240_000,
  );
});
