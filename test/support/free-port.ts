import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections: while nothing listens there, none of these takes it. */
const [FIRST, BEHIND] = [12_000, 30_000];

/** A port that nothing listens on now; chosen at random, so that tests beside each other have different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, BEHIND);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const opened = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (opened) {
    probe.close();
    await once(probe, 'close');
  }
  return opened;
}
