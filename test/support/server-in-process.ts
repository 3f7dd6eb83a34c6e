import { type Apiserver, type ApiserverOptions, buildApiserver } from '#functions/apiserver/wiring.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';

/** How long its store keeps old versions, in ms. */
export const RETENTION = 3_600_000;

type Given = Partial<ApiserverOptions> & Pick<ApiserverOptions, 'clock'>;

/** An API server without HTTP, in memory by default. `faults` has its reported errors. */
export function serverInProcess(given: Given): { readonly server: Apiserver; readonly faults: unknown[] } {
  const faults: unknown[] = [];
  const server = buildApiserver({
    store: new MemoryStore({ clock: given.clock, retention: RETENTION }),
    exclusive: true,
    cacheBytes: 2 ** 26,
    serverAddress: '127.0.0.1:6443',
    tokens: new Map(),
    reportFault: (_auditId, error) => void faults.push(error),
    ...given,
  });
  return { server, faults };
}
