import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { faulty, named } from '#test/support/dynamodb-local/faulty-table.ts';
import { FreezableClock, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { type Answer, anInstance } from '#test/support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { type Call, intercept, type Table } from './port.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const aMap = (name: string) => ({ metadata: { name }, data: { a: '1' } });
const clock = new FreezableClock(new ManualClock(1_800_000_000_000));

describeOn(await startDynamoDbLocal(), 'a DynamoDB table that refuses calls', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, `refusing-${randomUUID()}`);
    await anInstance(table, { clock, as: LOOPBACK }).request('POST', '/api/v1/namespaces', {
      metadata: { name: 'default' },
    });
  });
  afterAll(async () => {
    table.close();
    vi.restoreAllMocks();
  });

  const failing = (name: string, of: (call: Call) => boolean): Table =>
    intercept(table, (call, next) => (of(call) ? Promise.reject(named(name)) : next()));
  const isPut = ({ operation }: Call): boolean => operation === 'put';

  const LATER = 'the server has received too many requests and has asked us to try again later';
  const TIMEOUT = 'Timeout: request did not complete within requested timeout';
  const REFUSED = 'the table refuses this server: ';
  const CASES: readonly [string, number, string, string, string][] = [
    ['ProvisionedThroughputExceededException', 429, 'TooManyRequests', '1', LATER],
    ['ThrottlingException', 429, 'TooManyRequests', '1', LATER],
    ['RequestLimitExceeded', 429, 'TooManyRequests', '1', LATER],
    ['TransactionConflictException', 429, 'TooManyRequests', '1', LATER],
    ['TimeoutError', 504, 'Timeout', '1', TIMEOUT],
    ['InternalServerError', 504, 'Timeout', '1', TIMEOUT],
    ['ExpiredTokenException', 503, 'ServiceUnavailable', '5', `${REFUSED}ExpiredTokenException`],
    ['AccessDeniedException', 503, 'ServiceUnavailable', '5', `${REFUSED}AccessDeniedException`],
    ['CredentialsProviderError', 503, 'ServiceUnavailable', '5', `${REFUSED}CredentialsProviderError`],
  ];
  const told = ({ status, headers, text }: Answer) => {
    const { reason, message } = JSON.parse(text) as { reason: string; message: string };
    return [status, reason, headers['retry-after'], message];
  };

  test.each(CASES)(
    '%s on every call returns %i %s with Retry-After %s for reads and writes',
    async (name, ...expected) => {
      const faults = vi.spyOn(console, 'error').mockReturnValue();
      const cold = anInstance(
        failing(name, () => true),
        { clock, as: LOOPBACK },
      );
      expect(told(await cold.ask('GET', MAPS))).toEqual(expected);
      const writer = anInstance(failing(name, isPut), { clock, as: LOOPBACK });
      const object = aMap(`never-${name.toLowerCase()}`);
      expect(told(await writer.ask('POST', MAPS, object))).toEqual(expected);
      expect(faults.mock.calls.length > 0).toBe(expected[0] !== 429);
      const others = anInstance(table, { clock, as: LOOPBACK });
      expect((await others.ask('GET', `${MAPS}/${object.metadata.name}`)).status).toBe(404);
    },
  );

  test.each(['throttle', 'lose-answer', 'lose-request'] as const)(
    'no client notices %s on every other call',
    async (fault) => {
      let calls = 0;
      const every = faulty(table, { fault: () => (++calls % 2 === 0 ? fault : undefined) });
      const instance = anInstance(every, { clock, as: LOOPBACK });
      const names = Array.from({ length: 5 }, (_, i) => `${fault}-${i}`);
      for (const name of names) expect((await instance.ask('POST', MAPS, aMap(name))).status).toBe(201);
      const { items } = JSON.parse(await anInstance(table, { clock, as: LOOPBACK }).request('GET', MAPS)) as {
        items: { metadata: { name: string } }[];
      };
      expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(names));
    },
  );
});
