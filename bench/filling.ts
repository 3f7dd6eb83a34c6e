import { systemClock } from '#adapters/clock.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';

/** A server in this process on a store to fill, and a client with all permissions. */
export function filling(store: SequenceStore) {
  const server = buildApiserver({
    store,
    clock: systemClock,
    exclusive: true,
    cacheBytes: 2 ** 30,
    serverAddress: '127.0.0.1:6443',
    tokens: new Map(),
    reportFault: (_, error) => console.error(error),
  });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'bench' });
  return { server, client };
}
