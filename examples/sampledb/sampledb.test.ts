import { join } from 'node:path';
import { JOB } from '@davit-dev/davit/api';
import { isConditionTrue, type KubernetesObject } from '@davit-dev/davit/controller';
import { eventually, type RunningApiserver, readManifests, startApiserver } from '@davit-dev/davit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAMPLE_DB, type SampleDB } from './kinds.ts';

/** A busy machine can exceed the defaults of 20 and 30 seconds. Only a failure takes this long. */
const PATIENCE = { timeout: 240_000 };
const LIMITS = { timeout: 240_000, load: 240_000 };
const NAME = { namespace: 'default', name: 'example-database' };

let server: RunningApiserver;
let example: SampleDB;

const manifest = async <T extends KubernetesObject>(file: string): Promise<T> =>
  (await readManifests(join(import.meta.dirname, file)))[0] as T;

/**
 * Starts the server like `npm start -- --functions examples/sampledb --simulated-nodes 1`: the whole folder, with each file in its own
 * thread.
 */
beforeAll(async () => {
  server = await startApiserver({ functionsFolder: import.meta.dirname, functionLimits: LIMITS, simulatedNodes: 1 });
  await server.client.create(await manifest('crd.yaml'));
  example = await manifest<SampleDB>('example-database.yaml');
  await eventually(() => server.client.list(SAMPLE_DB), PATIENCE);
});

afterAll(() => server.close());

test('a database becomes ready, and leaves a snapshot', async () => {
  await server.client.create({ ...example, metadata: NAME });
  await eventually(async () => {
    const status = (await server.client.get(SAMPLE_DB, NAME))?.status;
    expect(status).toMatchObject({ version: '1.4', primary: 'example-database-0' });
    expect(isConditionTrue(status?.conditions, 'Ready')).toBe(true);
  }, PATIENCE);
  await server.client.delete(SAMPLE_DB, NAME);
  await eventually(async () => expect(await server.client.get(SAMPLE_DB, NAME)).toBeUndefined(), PATIENCE);
  const jobs = await server.client.list(JOB, { namespace: 'default' });
  expect(jobs.map(({ metadata: { name } }) => name)).toContainEqual(expect.stringContaining('-snapshot-'));
});

test.each([
  ['a version that is none', { version: 'latest' }, 'spec.version'],
  ['no room', { version: '1.0', replicas: 0 }, 'spec.replicas'],
])('rejects a database with %s', async (_title, spec, field) => {
  const wrong = { ...example, metadata: NAME, spec };
  await expect(server.client.create<KubernetesObject>(wrong)).rejects.toMatchObject({
    code: 422,
    message: expect.stringContaining(field),
  });
});
