import { pbkdf2 } from 'node:crypto';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { onLoopback } from '#test/support/loopback.ts';
import { startApiserver } from './start-apiserver.ts';

/** The status of a response, or the reason why there was none. */
const asked = (port: number): Promise<number | string> =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/version', rejectUnauthorized: false, agent: false };
    const sent = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });

const threads = promisify(pbkdf2);

test('responds to a client that connects as soon as the port is open', async () => {
  const { port, close } = await onLoopback(createServer());
  await close();
  const told = new Set<number | string>();
  const faults: unknown[] = [];
  const started = new AbortController();
  const ask = async (): Promise<void> => {
    while (!started.signal.aborted) {
      told.add(await asked(port));
      await setImmediate();
    }
  };
  const keepThreadsBusy = async (): Promise<void> => {
    while (!started.signal.aborted) await threads('', '', 20_000, 32, 'sha512'); // keeps the thread pool busy
  };
  const running = [...Array.from({ length: 8 }, ask), ...Array.from({ length: 16 }, keepThreadsBusy)];
  const server = await startApiserver({ port, controllers: false, reportFault: (_, error) => faults.push(error) });
  started.abort();
  await Promise.all(running);
  expect(faults).toEqual([]);
  expect([...told].filter((one) => one !== 'ECONNREFUSED')).toEqual([403]); // no user has permissions yet
  await server.close();
});
