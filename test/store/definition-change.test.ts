import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, grantAll, type Instance } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PLURALS = ['spans', 'gauges', 'meters', 'dials'];
const established = (acceptedNames: object) => ({
  acceptedNames,
  conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True', reason: 'x', message: '' })),
  storedVersions: ['v1'],
});
/** The time-out of a watch in seconds. A watch that does not end fails its test. */
const LONG = 100;

describeOn(await startDynamoDbLocal(), 'a watch in one instance, where another changes its definition', (endpoint) => {
  let table: Table;
  let other: Instance;
  beforeAll(async () => {
    table = await localTable(endpoint, 'definition-change');
    await grantAll(table, clock);
    other = anInstance(table, { clock });
    await other.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
    for (const plural of PLURALS) {
      await other.request('POST', DEFINITIONS, definition(plural));
      await change(plural, { status: established(definition(plural).spec.names) }, '/status');
    }
  });
  afterAll(async () => {
    await other.server.close();
    table.close();
  });

  const definition = (plural: string) => simpleDefinition({ group: 'example.com', plural, kind: `A${plural}` });
  const pathOf = (plural: string): string => `/apis/example.com/v1/namespaces/ns/${plural}`;
  const change = (plural: string, body: object, part = ''): Promise<string> =>
    other.request('PATCH', `${DEFINITIONS}/${plural}.example.com${part}`, body);

  /** A watch on a separate instance that starts after an object was created. Its events are available after it has ended. */
  async function watched(plural: string, timeoutSeconds = LONG) {
    const object = { apiVersion: 'example.com/v1', kind: `A${plural}`, metadata: { name: 'one' } };
    const made = await other.request('POST', pathOf(plural), object);
    const { resourceVersion } = (JSON.parse(made) as { metadata: { resourceVersion: string } }).metadata;
    const instance = anInstance(table, { clock });
    const watch = (seconds: number): string =>
      `${pathOf(plural)}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=${seconds}`;
    const began = performance.now();
    const { text } = await instance.open('GET', watch(timeoutSeconds));
    const ended = text().then(async () => {
      await instance.server.close();
      return (performance.now() - began) / 1000;
    });
    const touch = () => other.request('PATCH', `${pathOf(plural)}/one`, { metadata: { labels: { a: 'b' } } });
    return { ended, touch, again: () => other.request('GET', watch(1)) };
  }

  test('ends if the spec changes, and a later watch receives the missed changes', async () => {
    const { ended, touch, again } = await watched('spans');
    await change('spans', { spec: { names: { shortNames: ['sp'] } } });
    await touch();
    expect(await ended).toBeLessThan(LONG / 2);
    expect(JSON.parse(await again())).toMatchObject({ type: 'MODIFIED', object: { metadata: { labels: { a: 'b' } } } });
  });

  test('ends if the names change, and when the definition is deleted', async () => {
    const names = await watched('gauges');
    const acceptedNames = { ...definition('gauges').spec.names, shortNames: ['ga'] };
    await change('gauges', { status: { acceptedNames } }, '/status');
    expect(await names.ended).toBeLessThan(LONG / 2);
    const gone = await watched('meters');
    await other.request('DELETE', `${DEFINITIONS}/meters.example.com`);
    await change('meters', { metadata: { finalizers: null } });
    expect(await gone.ended).toBeLessThan(LONG / 2);
  });

  test('continues if only the labels of the definition change', async () => {
    const { ended } = await watched('dials', 3);
    await change('dials', { metadata: { labels: { nothing: 'else' } } });
    expect(await ended).toBeGreaterThanOrEqual(3);
  });
});
