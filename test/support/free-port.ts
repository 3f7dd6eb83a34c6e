import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral port range of operating systems, so no outgoing connection uses the port while it has no listener. */
const [FIRST, BEHIND] = [12_000, 30_000];

/** A port without a listener, chosen at random, so that concurrent tests have different ones. */
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
