import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { requester } from '#test/support/requester.ts';
import { skipUnless } from '#test/support/skip.ts';
import { framesOf, preface, TYPE } from './frames.ts';
import { FLOODS } from './http2-floods.ts';

/** Limits in ms: until GOAWAY, and for another client's requests. */
const MOST = { goAway: 1000, p99: 200 };

let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver({ controllers: false });
});
afterAll(() => server.close());

/** Time in ms from the flood to GOAWAY. */
async function untilGoAway(bytes: Uint8Array): Promise<number> {
  const { port, certificateAuthority: ca } = server;
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined); // the server may close it during a write
  await once(socket, 'secureConnect');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('close', () => reject(new Error('closed without GOAWAY')));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (framesOf(Buffer.concat(chunks)).some(({ type }) => type === TYPE.goAway)) resolve();
  });
  const begun = performance.now();
  socket.write(Buffer.concat([preface(), bytes]));
  await promise;
  socket.destroy();
  return performance.now() - begun;
}

/** The durations in ms of another client's requests during the flood, sorted. There are at least a hundred. */
async function requestsBeside(flood: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const get = requester(server);
  let isOver = false;
  const over = flood.then(() => {
    isOver = true;
  });
  const next = async (): Promise<void> => {
    const begun = performance.now();
    await get('GET', '/api/v1/namespaces/default/configmaps');
    times.push(performance.now() - begun);
    if (!isOver || times.length < 100) await next();
  };
  await Promise.all([next(), over]);
  return times.sort((a, b) => a - b);
}

describe('a flood of frames', skipUnless(process.env['DAVIT_FULL'] !== undefined, 'runs with DAVIT_FULL=1'), () => {
  test.each(FLOODS)('ends quickly, and other clients are served meanwhile: %s', async (_, _code, bytes) => {
    const flood = untilGoAway(bytes());
    const times = await requestsBeside(flood);
    expect(await flood).toBeLessThan(MOST.goAway);
    expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(MOST.p99);
  });
});
