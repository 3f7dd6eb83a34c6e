import { expect, test } from 'vitest';
import { SECRETS, UsersSecrets } from './users-secrets.ts';

const REFERENCES = JSON.stringify({ API_KEY: { secret: 'api', key: 'key' }, TOKEN: { parameter: '/token' } });

function secretsOf(references = REFERENCES) {
  const world = { now: 0, reads: 0, fault: undefined as string | undefined, logged: [] as unknown[] };
  const environment: Record<string, string | undefined> = { [SECRETS]: references };
  const note = (...all: unknown[]): void => void world.logged.push(all);
  const secrets = new UsersSecrets({
    environment,
    clock: { now: () => world.now, monotonic: () => world.now, sleep: () => Promise.resolve() },
    log: { info: note, error: note },
    read: async ({ secret, parameter }) => {
      world.reads++;
      if (world.fault !== undefined) throw new Error(world.fault);
      return `value ${world.reads} of ${secret ?? parameter}`;
    },
  });
  return { world, environment, secrets };
}

test('adds secrets to the environment, and reads them again after five minutes', async () => {
  const { world, environment, secrets } = secretsOf();
  await secrets.refresh();
  world.now = 299_999;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 1 of api', TOKEN: 'value 2 of /token' });
  world.now = 300_000;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 3 of api', TOKEN: 'value 4 of /token' });
});

test('fails the invocation with one line if secrets were never read, and retries in the next one', async () => {
  const { world, environment, secrets } = secretsOf();
  world.fault = 'AccessDeniedException';
  await expect(secrets.refresh()).rejects.toThrow(/^secret API_KEY: api: AccessDeniedException$/);
  world.fault = undefined;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 3 of api' });
});

test('keeps the previous values if a refresh fails, and retries after half a minute', async () => {
  const { world, environment, secrets } = secretsOf();
  await secrets.refresh();
  world.fault = 'ThrottlingException';
  world.now = 300_000;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 1 of api', TOKEN: 'value 2 of /token' });
  expect(world.logged).toEqual([['secrets are not read again', { error: 'secret API_KEY: api: ThrottlingException' }]]);
  world.fault = undefined;
  world.now = 329_999;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 1 of api' });
  world.now = 330_000;
  await secrets.refresh();
  expect(environment).toMatchObject({ API_KEY: 'value 5 of api', TOKEN: 'value 6 of /token' });
});

test('rejects invalid references to secrets', () => {
  expect(() => secretsOf('{"A":{"value":"hunter2"}}')).toThrow('value');
});
